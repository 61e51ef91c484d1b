//! Rule: `aggregate_field`. The page is `guide/pages/rules/aggregate_field.md`.

use crate::{
    errors::Errors,
    model::{
        aggregate::{Aggregate, Key},
        facets::Facets,
    },
};

pub(in crate::rules) fn enforce(aggregate: &Aggregate, errors: &Errors) {
    if aggregate.is_of_parents() {
        return;
    }
    // Without keys, fields without values are fields of a parent if the mistake is in a value of the children.
    let may_be_of_parents = aggregate.keys.is_empty() && aggregate.fields.iter().any(|field| field.broken);
    let is_key = |name: &str| aggregate.keys.iter().any(|key| key.name == name);
    for field in aggregate.fields.iter().filter(|field| !field.broken) {
        match &field.value {
            None if !is_key(&field.rust_name) && !aggregate.has_lost_key && !may_be_of_parents => errors.rule(
                &field.ident,
                "aggregate_field",
                &format!("`{}` is no key of the groups and has no value", field.rust_name),
                &format!(
                    "add `{0}` to `by(..)`, or write the value above the field: `#[count]`, `#[sum(total)]`",
                    field.rust_name
                ),
            ),
            Some(value) if is_key(&field.rust_name) => errors.rule(
                &value.tokens,
                "aggregate_field",
                &format!("`{}` is a key of the groups, and also has a value", field.rust_name),
                "remove the attribute, or give the value a field of its own",
            ),
            _ => {}
        }
    }
    let has_field = |key: &&Key| aggregate.fields.iter().any(|field| field.rust_name == key.name);
    for (at, key) in aggregate.keys.iter().enumerate() {
        if !has_field(&key) {
            errors.rule(
                &key.tokens,
                "aggregate_field",
                &format!("`{}` has no field `{}` for this key", aggregate.ident, key.name),
                &format!(
                    "add the field with the type of the key, or write another name: `by(name = {})`",
                    key.of.path.join(".")
                ),
            );
        }
        if aggregate.keys[..at].iter().any(|earlier| earlier.name == key.name) {
            errors.rule(
                &key.tokens,
                "aggregate_field",
                &format!("two keys have the name `{}`", key.name),
                "give each key a name: `by(city = address.city)`",
            );
        }
    }
}

pub(in crate::rules) fn enforce_facets(facets: &Facets, errors: &Errors) {
    for field in facets.fields.iter().filter(|field| field.facet.is_none() && !field.broken) {
        errors.rule(
            &field.ident,
            "aggregate_field",
            &format!("`{}` is no facet", field.rust_name),
            "write the facet above the field: `#[page(limit = 20, order = desc(rank))]`, `#[count_by(brand, limit = 20)]`, `#[ranges(price, [0, 10, 50])]`, `#[count]` or `#[sum(total)]`",
        );
    }
}
