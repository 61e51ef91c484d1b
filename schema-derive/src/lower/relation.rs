//! `#[relation(cardinality, storage, ..)]`.

use super::{allow::lower_allows, number};
use crate::{
    attributes::Attribute,
    errors::Errors,
    model::{Cardinality, OrderKey, Relation, Storage},
    parse::{Argument, Arguments, Value},
};

/// Words of the plan that are not built yet.
const LATER: [&str; 3] = ["many_to_many", "two_way", "one_way"];

/// A relation; `None` when its cardinality or its storage is not said.
pub(crate) fn lower_relation(arguments: &Arguments, errors: &Errors) -> Option<Relation> {
    if let Some(argument) = arguments.list.iter().find(|argument| LATER.contains(&argument.word.as_str())) {
        errors.at(
            &argument.tokens,
            format!("`{}` is not supported yet\nhelp: `child_refs` on one side with `#[inverse(..)]` on the other reads both ways", argument.word),
        );
        return None;
    }
    arguments.expect_words(&Attribute::Relation.words(), errors);
    let cardinality = only(arguments, Cardinality::ALL, Cardinality::word, "cardinality", errors);
    let storage = only(arguments, Storage::ALL, Storage::word, "storage", errors);
    let ((cardinality, cardinality_tokens), (storage, storage_tokens)) = (cardinality?, storage?);
    let max = number(arguments.get("max"), errors);
    if let Some(max) = max.as_ref().filter(|_| !storage.is_array(cardinality)) {
        errors.at(&max.tokens, without_array(cardinality, storage));
    }
    let order = match arguments.get("order") {
        Some(order) if storage.may_order() => lower_order(order, errors),
        Some(order) => {
            errors.at(&order.tokens, "`order` is for a `parent_ref`, by which children are read in an order: an array has its own\nhelp: remove `order`");
            Vec::new()
        }
        None => Vec::new(),
    };
    let inverse = match arguments.get("inverse") {
        Some(inverse) if !storage.has_far_side() => {
            errors.at(
                &inverse.tokens,
                "`inverse` is for references, and an embedded struct is read with its document\nhelp: remove `inverse`",
            );
            None
        }
        Some(inverse) => inverse.expect_identifier(errors),
        None => None,
    };
    let by = match arguments.get("by") {
        Some(by) if !storage.refers() => {
            errors.at(&by.tokens, "`by` names the reference inside of extended references, and an embedded struct refers to nothing\nhelp: remove `by`");
            None
        }
        Some(by) => by.expect_identifier(errors),
        None => None,
    };
    let allows = lower_allows(&arguments.list, errors);
    Some(Relation { cardinality, cardinality_tokens, storage, storage_tokens, max, order, inverse, by, allows })
}

/// What a `max` is told where there is no array.
fn without_array(cardinality: Cardinality, storage: Storage) -> String {
    let of_array = |other: &&Cardinality| other.storages().contains(&storage) && storage.is_array(**other);
    let instead = match Cardinality::ALL.iter().find(of_array) {
        Some(other) => format!(", or write `{}`", other.word()),
        None => String::new(),
    };
    format!(
        "`{}, {}` stores no array, so `max` means nothing here\nhelp: remove it{instead}",
        cardinality.word(),
        storage.word()
    )
}

/// The one word of a kind; a mistake when there is none or there are two.
fn only<T: Copy + PartialEq>(
    arguments: &Arguments,
    all: &[T],
    word: fn(T) -> &'static str,
    kind: &str,
    errors: &Errors,
) -> Option<(T, syn::Expr)> {
    let mut found: Option<(T, &Argument)> = None;
    for argument in &arguments.list {
        let Some(value) = all.iter().copied().find(|value| word(*value) == argument.word) else { continue };
        argument.expect_word(errors);
        match found {
            Some((first, _)) if first != value => {
                errors.at(
                    &argument.tokens,
                    format!(
                        "`{}` contradicts `{}`: a relation has one {kind}\nhelp: remove one of the two",
                        argument.word,
                        word(first)
                    ),
                );
                return None;
            }
            Some(_) => {}
            None => found = Some((value, argument)),
        }
    }
    if found.is_none() && errors.is_empty() {
        let words = all.iter().map(|value| format!("`{}`", word(*value))).collect::<Vec<_>>().join(", ");
        errors.at_span(
            arguments.span,
            format!("this relation has no {kind}\nhelp: write one of {words}, as in `#[relation(one_to_squillions, parent_ref)]`"),
        );
    }
    found.map(|(value, argument)| (value, argument.tokens.clone()))
}

/// `order = desc(time)`, or `order(desc(time), name)` for several.
pub(super) fn lower_order(argument: &Argument, errors: &Errors) -> Vec<OrderKey> {
    let expressions: Vec<syn::Expr> = match &argument.value {
        Value::Assigned(value) => vec![value.clone()],
        Value::List(list) => list.iter().map(|argument| argument.tokens.clone()).collect(),
        Value::None => Vec::new(),
    };
    let keys: Vec<OrderKey> = expressions.iter().filter_map(order_key).collect();
    if keys.is_empty() || keys.len() != expressions.len() {
        errors.at(
            &argument.tokens,
            "`order` takes fields of this struct\nhelp: write `order = desc(time)`, `order = asc(time)` or `order(desc(time), asc(name))`",
        );
    }
    keys
}

fn order_key(expression: &syn::Expr) -> Option<OrderKey> {
    let (descending, inner) = match expression {
        syn::Expr::Call(call) => {
            let direction = crate::parse::path_of(&call.func)?;
            let descending = match direction.join(".").as_str() {
                "desc" => true,
                "asc" => false,
                _ => return None,
            };
            (descending, call.args.first().filter(|_| call.args.len() == 1)?)
        }
        syn::Expr::Group(group) => return order_key(&group.expr),
        other => (false, other),
    };
    let path = crate::parse::path_of(inner)?;
    match path.as_slice() {
        [field] => Some(OrderKey { field: field.clone(), descending, tokens: inner.clone() }),
        _ => None,
    }
}
