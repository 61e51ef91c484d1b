//! Rule: `variant_name`. The page is `guide/pages/rules/variant_name.md`.

use std::collections::BTreeMap;

use proc_macro2::Ident;

use crate::{
    errors::Errors,
    model::{KEYWORDS, Tagged},
};

const ID: &str = "variant_name";

/// The methods that every field has.
const OPERATORS: [&str; 32] = [
    "path",
    "eq",
    "ne",
    "is_in",
    "not_in",
    "gt",
    "gte",
    "lt",
    "lte",
    "between",
    "exists",
    "is_null",
    "is_not_null",
    "contains_text",
    "contains_text_ignoring_case",
    "starts_with",
    "starts_with_ignoring_case",
    "ends_with",
    "ends_with_ignoring_case",
    "regex",
    "contains",
    "all",
    "size",
    "elem_match",
    "near",
    "within",
    "asc",
    "desc",
    "at",
    "cost",
    "clone",
    "tag",
];

/// Checks the stored names of an enum of names alone.
pub(in crate::rules) fn enforce_names(variants: &[(Ident, String)], errors: &Errors) {
    let mut names: BTreeMap<&str, &Ident> = BTreeMap::new();
    for (ident, name) in variants {
        if let Some(other) = names.insert(name, ident) {
            report_twice(ident, &other.to_string(), name, errors);
        }
    }
}

fn report_twice(ident: &Ident, other: &str, name: &str, errors: &Errors) {
    let what = format!(
        "`{other}` and `{ident}` are both stored as `{name}`, so the variant of a stored value would be unknown"
    );
    errors.rule(ident, ID, &what, "give either variant another name with `#[serde(rename = \"..\")]`");
}

pub(in crate::rules) fn enforce(tagged: &Tagged, errors: &Errors) {
    let mut methods: BTreeMap<String, String> = BTreeMap::new();
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    for variant in &tagged.variants {
        let (ident, method) = (variant.ident.to_string(), variant.method());
        let asks = format!("is_{method}");
        let report = |what: &str, help: &str| errors.rule(&variant.ident, ID, what, help);
        let rename = "rename the variant; `#[serde(rename = \"..\")]` keeps the stored name";
        if let Some(other) = names.insert(&variant.name, ident.clone()) {
            report_twice(&variant.ident, &other, &variant.name, errors);
        } else if KEYWORDS.contains(&method.as_str()) {
            report(
                &format!(
                    "the fields of `{ident}` would be reached by a method `{method}`, and `{method}` is a keyword of Rust"
                ),
                rename,
            );
        } else if let Some(taken) = [&method, &asks].into_iter().find(|name| OPERATORS.contains(&name.as_str())) {
            report(
                &format!(
                    "`{ident}` would be reached by a method `{taken}`, and every field has a method `{taken}` already"
                ),
                rename,
            );
        } else if let Some((name, other)) =
            [&method, &asks].into_iter().find_map(|name| Some((name, methods.get(name)?)))
        {
            report(&format!("`{other}` and `{ident}` would both be reached by a method `{name}`"), rename);
        } else {
            methods.extend([(method.clone(), ident.clone()), (asks.clone(), ident.clone())]);
        }
    }
    for field in tagged.records().flat_map(crate::model::Record::judged) {
        if field.rust_name == tagged.tag || field.name == tagged.tag {
            errors.rule(
                &field.ident,
                ID,
                &format!("`{}` is the tag, and the tag holds the name of the variant", tagged.tag),
                "rename the field, or the tag",
            );
        }
    }
}

/// Checks the methods of a model that read a single variant.
pub(in crate::rules) fn enforce_views(tagged: &Tagged, errors: &Errors) {
    for variant in &tagged.variants {
        let view = variant.view();
        if syn::parse_str::<syn::Ident>(&view).is_err() {
            let ident = &variant.ident;
            errors.rule(
                ident,
                ID,
                &format!(
                    "the documents of `{ident}` would be read by a method `{view}`, and `{view}` is a keyword of Rust"
                ),
                "rename the variant; `#[serde(rename = \"..\")]` keeps the stored name",
            );
        }
    }
}
