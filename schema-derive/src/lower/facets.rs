//! Reads the result of a read of facets: `#[derive(Facets)]`.

use syn::{Attribute, DeriveInput, Expr, Path, Token, punctuated::Punctuated};

use super::aggregate::{
    check_name, field_path, lower_children, named_fields, ranges,
    value::{Options, lower_value, read_arguments},
    word_of,
};
use crate::{
    errors::Errors,
    model::{
        aggregate::{Term, ValueKind},
        facets::{Facet, FacetField, FacetKind, Facets},
    },
    parse::{SerdeStruct, identifier},
};

/// The words of facets that are no values of an aggregation, each with an example.
const FACETS: [(&str, &str); 3] = [
    ("page", "`#[page(limit = 20, order = desc(rank))]`"),
    ("count_by", "`#[count_by(brand, limit = 20)]`"),
    ("ranges", "`#[ranges(price, [0, 10, 50])]` with numbers that ascend"),
];

/// The words of values that a read of facets has too.
const VALUES: [&str; 5] = ["count", "sum", "avg", "min", "max"];

/// Returns the words of facets.
#[cfg(test)]
pub(crate) fn words_of_facets() -> Vec<&'static str> {
    FACETS.iter().map(|(word, _)| *word).chain(VALUES).collect()
}

/// Reads the facets; `None` after a mistake that leaves nothing to go on with.
pub(crate) fn lower_facets(input: &DeriveInput, errors: &Errors) -> Option<Facets> {
    let name = &input.ident;
    let Some(named) = named_fields(input, "facets are of the documents of one model", errors)? else {
        errors.at(name, format!("`Facets` is for a struct with named fields: each field is a facet\nhelp: write `struct {name} {{ #[count] total: i64 }}`"));
        return None;
    };
    let of = lower_of(input, errors);
    let serde = SerdeStruct::read(input, errors).fields;
    let mut fields = Vec::new();
    for (field, serde) in named.named.iter().zip(serde) {
        let Some(ident) = field.ident.clone() else { continue };
        let before = errors.count();
        let facet = lower_facet(field, errors);
        check_name(&ident, &serde, "each field is a facet", errors);
        fields.push(FacetField {
            rust_name: identifier(&ident),
            ident,
            ty: field.ty.clone(),
            name: serde.name,
            facet,
            broken: errors.count() > before,
        });
    }
    Some(Facets { ident: name.clone(), of: of?, fields })
}

/// Reads `#[facets(of = Product)]`.
fn lower_of(input: &DeriveInput, errors: &Errors) -> Option<Path> {
    const EXAMPLE: &str = "help: write `#[facets(of = Product)]` with the model of the documents";
    let mut attributes = input.attrs.iter().filter(|attribute| attribute.path().is_ident("facets"));
    let Some(attribute) = attributes.next() else {
        errors.at(&input.ident, format!("these facets do not name their model\n{EXAMPLE}"));
        return None;
    };
    if let Some(second) = attributes.next() {
        errors.at(second.path(), format!("`#[facets(..)]` is given twice\n{EXAMPLE}"));
    }
    let arguments = match attribute.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
        Ok(arguments) => arguments,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    let (mut of, before) = (None, errors.count());
    for argument in &arguments {
        match argument {
            Expr::Assign(assign) => match (word_of(&assign.left).as_str(), &*assign.right) {
                ("of", Expr::Path(path)) if of.is_none() => of = Some(path.path.clone()),
                ("crate", Expr::Path(_)) => {}
                _ => errors
                    .at(argument, format!("`#[facets(..)]` has no such word, or the word stands twice\n{EXAMPLE}")),
            },
            _ => errors.at(argument, format!("`#[facets(..)]` has no such word\n{EXAMPLE}")),
        }
    }
    if of.is_none() && errors.count() == before {
        errors.at(attribute.path(), format!("these facets do not name their model\n{EXAMPLE}"));
    }
    of
}

/// Reads the facet of a field; `None` without an attribute, and after a mistake.
fn lower_facet(field: &syn::Field, errors: &Errors) -> Option<Facet> {
    let row = |attribute: &Attribute| FACETS.iter().find(|(word, _)| attribute.path().is_ident(word));
    let is_value = |attribute: &&Attribute| VALUES.iter().any(|word| attribute.path().is_ident(word));
    let Some((attribute, (word, example))) =
        field.attrs.iter().find_map(|attribute| Some((attribute, row(attribute)?)))
    else {
        let value = lower_value(field, errors)?;
        let tokens = value.tokens.clone();
        if let Some(children) = lower_children(field) {
            errors.at(&children.tokens, "a facet is of the documents of one model, and this value is of the children of a document\nhelp: derive `Aggregate` for values of children");
            return None;
        }
        if !matches!(value.kind, ValueKind::Count(None) | ValueKind::Function { of: Term::Field(_), .. }) {
            errors.at(&tokens, "a facet is a value of a single field\nhelp: write `#[count]` or `#[sum(total)]`, and derive `Aggregate` for conditions and terms");
            return None;
        }
        return Some(Facet { kind: FacetKind::Value(value), tokens });
    };
    let others = |other: &&Attribute| row(other).is_some() || is_value(other);
    if let Some(second) = field.attrs.iter().filter(others).nth(1) {
        errors.at(second.path(), "a field holds one facet\nhelp: put each facet on a separate field");
        return None;
    }
    let (kind, tokens) =
        read_arguments(attribute, word, example, errors, |given: Vec<Expr>| read(word, &given, errors))?;
    Some(Facet { kind, tokens })
}

fn read(word: &str, given: &[Expr], errors: &Errors) -> Option<FacetKind> {
    match (word, given) {
        ("page", options) => {
            let Options { number, order } = Options::read(options, "limit", errors)?;
            Some(FacetKind::Page { limit: number, order })
        }
        ("count_by", [of, options @ ..]) => {
            let Options { number, order } = Options::read(options, "limit", errors)?;
            let of = field_path(of, errors)?;
            order.is_empty().then_some(FacetKind::CountBy { of, limit: number })
        }
        ("ranges", [of, Expr::Array(limits)]) => {
            Some(FacetKind::Ranges { limits: ranges(limits)?, of: field_path(of, errors)? })
        }
        _ => None,
    }
}
