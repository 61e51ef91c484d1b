//! The values that a parent keeps of children: `#[subset(..)]`, `#[computed(..)]`.

use syn::Expr;

use super::{collection::split, given::Given, number, order::lower_order};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Rollup, RollupKind, Stored},
    parse::{Arguments, Value},
};

/// Reads the value that a field keeps of children. A subset says how many elements the field may hold.
pub(super) fn lower_rollup(given: &Given<'_>, storage: &mut Stored, errors: &Errors) -> Option<Rollup> {
    match given.get(Attribute::Subset) {
        Some(attribute) => lower_subset(attribute, storage, errors),
        None => lower_computed(given.get(Attribute::Computed)?, errors),
    }
}

fn lower_subset(attribute: &syn::Attribute, storage: &mut Stored, errors: &Errors) -> Option<Rollup> {
    let before = errors.count();
    let mut arguments = Arguments::read(attribute, errors);
    arguments.expect_words(&Attribute::Subset.words(), errors);
    let example = "write `#[subset(of = LogMsg::host, keep = 1_000, order = desc(time))]`: the field of the children that refers to this model, and the most children that the subset holds";
    let keep = number(arguments.get("keep"));
    let of = arguments.get("of").map(|argument| match &argument.value {
        Value::Assigned(value) => far(value).ok_or(argument),
        Value::None | Value::List(_) | Value::Typed(_) => Err(argument),
    });
    if let Some(Err(argument)) = &of {
        errors.at(
            &argument.tokens,
            format!("`of` takes a field of the children, behind the name of the model\nhelp: {example}"),
        );
    }
    if errors.count() == before && (keep.is_none() || of.is_none()) {
        let missing = if of.is_none() {
            "`of`: the field of the children that refers to this model"
        } else {
            "`keep`: the most children that the subset holds"
        };
        errors.at(attribute.path(), format!("`#[subset(..)]` needs {missing}\nhelp: {example}"));
    }
    let order = arguments.get("order").map(|order| lower_order(order, errors)).unwrap_or_default();
    *storage = Stored::Subset { keep: keep? };
    let (child, reference, tokens) = of?.ok()?;
    Some(Rollup { child, reference, kind: RollupKind::Subset { order }, tokens })
}

fn lower_computed(attribute: &syn::Attribute, errors: &Errors) -> Option<Rollup> {
    let example = "write `#[computed(count(LogMsg::host))]` or `#[computed(sum(LogMsg::host, bytes))]`: the field of the children that refers to this model, and a further field of the children";
    let before = errors.count();
    let (mut arguments, functions) = (Arguments::read(attribute, errors), Attribute::Computed.words());
    arguments.expect_words(&functions, errors);
    if errors.count() > before {
        return None;
    }
    let argument = match &arguments.list[..] {
        [argument] => argument,
        [_, second, ..] => {
            errors.at(
                &second.tokens,
                "`#[computed(..)]` takes a single function of `count`, `sum`, `avg`, `min` and `max`: a field holds a single computed value\nhelp: remove the second function, or put each function on a separate field",
            );
            return None;
        }
        [] => {
            errors.at(
                attribute.path(),
                format!("`#[computed(..)]` needs a function: `count`, `sum`, `avg`, `min` or `max`\nhelp: {example}"),
            );
            return None;
        }
    };
    let list = argument.inside();
    let relation = list.first().and_then(|argument| far(&argument.tokens));
    let field = list.get(1).filter(|field| matches!(&field.value, Value::None) && !field.word.contains([':', '.']));
    let kind = match (argument.word.as_str(), list.len(), field) {
        ("count", 1, _) => Some(RollupKind::Count),
        ("count", ..) => None,
        (word, 2, Some(field)) => functions.into_iter().find(|function| function.name == word).map(|word| {
            RollupKind::Function { word: word.name, field: field.word.clone(), tokens: field.tokens.clone() }
        }),
        _ => None,
    };
    let (Some((child, reference, tokens)), Some(kind)) = (relation, kind) else {
        let takes = match argument.word.as_str() {
            "count" => "the relation of the children",
            _ => "the relation of the children and a field of the children",
        };
        errors.at(&argument.tokens, format!("`{}` takes {takes}\nhelp: {example}", argument.word));
        return None;
    };
    Some(Rollup { child, reference, kind, tokens })
}

/// Splits `LogMsg::host` into the model and the field.
pub(super) fn far(expression: &Expr) -> Option<(syn::Path, syn::Ident, Expr)> {
    match expression {
        Expr::Path(path) => split(&path.path).map(|(child, field)| (child, field, expression.clone())),
        Expr::Group(group) => far(&group.expr),
        _ => None,
    }
}
