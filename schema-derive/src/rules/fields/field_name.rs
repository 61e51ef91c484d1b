//! Rule: `field_name`. The page is `guide/pages/rules/field_name.md`.

use std::collections::BTreeMap;

use heck::ToShoutySnakeCase;
use proc_macro2::Ident;

use crate::{
    errors::Errors,
    model::{Clash, Method, Model, Record, Tagged},
    parse::identifier,
};

const ID: &str = "field_name";

/// The methods that every model has.
const OPERATIONS: [&str; 34] = [
    "id",
    "insert",
    "create",
    "insert_with",
    "insert_many",
    "find",
    "find_one",
    "get",
    "find_by_id",
    "get_by_id",
    "change_shard_key",
    "replace",
    "save",
    "update_by_id",
    "update_one",
    "upsert",
    "upsert_many",
    "update_many",
    "find_one_and_update",
    "find_one_and_delete",
    "find_one_and_replace",
    "estimated_count",
    "bulk",
    "delete",
    "delete_by_id",
    "delete_one",
    "delete_many",
    "aggregate",
    "aggregate_raw",
    "facets",
    "recompute",
    "recompute_all",
    "check",
    "collection",
];

/// The accessor of every tree.
const CHILDREN: &str = "children";

/// The methods that every model with a tree has.
const OF_TREES: [&str; 6] =
    ["roots", "descendants", "descendants_to", "move_under", "move_to_root", "promote_children"];

pub(in crate::rules) fn enforce(model: &Model, errors: &Errors) {
    // The names of each variant of an enum are judged separately.
    if model.tagged.is_none() {
        enforce_names(&model.record, errors);
    }
    let mut constants: BTreeMap<String, &Ident> = BTreeMap::new();
    for Method { name, from: ident, .. } in model.accessors() {
        let constant = name.to_shouty_snake_case();
        let what = if constant == "F" {
            format!(
                "the relation `{name}` would need the constant `F`, and `F` holds the fields of every model already"
            )
        } else if OPERATIONS.contains(&name.as_str()) {
            format!("the relation `{name}` would hide the operation `{name}` of every model")
        } else if model.has_tree() && OF_TREES.contains(&name.as_str()) {
            format!("the relation `{name}` would hide the operation `{name}` of every tree")
        } else if let Some(other) = constants.insert(constant.clone(), ident) {
            if model.has_tree() && name == CHILDREN && *other == CHILDREN {
                let what = "a tree has the accessor `children` already, for the children of each document";
                errors.rule(other, ID, what, "give this inverse another name, as `#[inverse(members = ..)]`");
                continue;
            }
            format!("`{name}` and `{other}` would both need the constant `{constant}`")
        } else {
            continue;
        };
        errors.rule(ident, ID, &what, "choose another name; `#[serde(rename = \"..\")]` keeps the stored name");
    }
    enforce_methods(model, errors);
    enforce_queries(model, errors);
}

/// Checks the methods that fields bring beside relations.
fn enforce_methods(model: &Model, errors: &Errors) {
    for Clash { method: Method { name, from, of }, other } in model.clashes() {
        // Two variants with the same method for the fields are refused for the method already.
        if model.tagged.as_ref().is_some_and(|tagged| tagged.is_second(from)) {
            continue;
        }
        let what = format!(
            "{of} `{}` creates the method `{name}`, and {other} creates a method of the same name",
            identifier(from)
        );
        errors.rule(from, ID, &what, "choose another name; `#[serde(rename = \"..\")]` keeps the stored name");
    }
}

/// Checks the queries: a query is a method, and a model has each method once.
fn enforce_queries(model: &Model, errors: &Errors) {
    let mut taken = Vec::new();
    for query in &model.queries {
        let name = identifier(&query.name);
        let what = if OPERATIONS.contains(&name.as_str()) {
            format!("the query `{name}` would hide the operation `{name}` of every model")
        } else if model.has_tree() && OF_TREES.contains(&name.as_str()) {
            format!("the query `{name}` would hide the operation `{name}` of every tree")
        } else if let Some(owner) = model.owner_of(&name) {
            format!("this model has a method `{name}` already, of {owner}")
        } else if taken.contains(&name) {
            format!("this model has a query `{name}` already")
        } else {
            taken.push(name);
            continue;
        };
        errors.rule(&query.name, ID, &what, "give the query another name");
    }
}

/// Checks the names of the fields that an enum with data adds: the tag, and the field that holds the data.
pub(in crate::rules) fn enforce_tag(tagged: &Tagged, errors: &Errors) {
    let names = [("tag", Some(&tagged.tag)), ("content", tagged.content.as_ref())];
    for (word, name) in names.into_iter().filter_map(|(word, name)| Some((word, name?))) {
        if let Some(what) = unfit(name) {
            errors.rule(
                &tagged.ident,
                ID,
                &what,
                &format!("give the {word} another name with `#[serde({word} = \"..\")]`"),
            );
        }
    }
}

/// Says why a name cannot name a stored field.
fn unfit(name: &str) -> Option<String> {
    if name.is_empty() {
        Some("a stored field needs a name".to_owned())
    } else if name.starts_with('$') {
        Some(format!("the stored name `{name}` begins with `$`, as MongoDB's operators do"))
    } else if name.contains('.') {
        Some(format!("the stored name `{name}` has a dot, and MongoDB reads a name with a dot as a path"))
    } else if name.contains('\0') {
        Some("the stored name has a NUL, and a NUL ends a name in BSON".to_owned())
    } else {
        None
    }
}

/// Checks the stored names of a struct.
pub(in crate::rules) fn enforce_names(record: &Record, errors: &Errors) {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for field in record.judged() {
        let name = field.name.as_str();
        let what = if let Some(what) = unfit(name) {
            what
        } else if let Some(other) = seen.insert(name, &field.rust_name) {
            format!("`{}` and `{other}` are both stored as `{name}`", field.rust_name)
        } else {
            continue;
        };
        errors.rule(&field.ident, ID, &what, "give the field another name with `#[serde(rename = \"..\")]`");
    }
}
