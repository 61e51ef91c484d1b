//! Rule: `json_name`. The page is `guide/pages/rules/json_name.md`.

use std::collections::BTreeMap;

use syn::Expr;

use crate::{
    errors::Errors,
    model::{Field, Json, Record, Tagged},
};

const ID: &str = "json_name";
const HELP: &str = "give the field another name with `#[json(rename = \"..\")]`";
/// The stored name of an `_id`, and the name in JSON.
const STORED_ID: &str = "_id";
const ID_IN_JSON: &str = "id";

/// Returns the name that the user gives, with the tokens.
fn renamed(field: &Field) -> Option<(&str, &Expr)> {
    match &field.json {
        Json::Renamed { name, tokens } => Some((name, tokens)),
        Json::AsStored | Json::Skipped => None,
    }
}

/// Returns the name in JSON; `None` for a skipped field.
fn name_of<'a>(field: &'a Field, record: &'a Record) -> Option<&'a str> {
    match &field.json {
        Json::Renamed { name, .. } => Some(name),
        Json::Skipped => None,
        Json::AsStored if field.name == STORED_ID => {
            let is_id = |field: &Field| match &field.json {
                Json::Renamed { name, .. } => name == ID_IN_JSON,
                Json::AsStored => field.name == ID_IN_JSON,
                Json::Skipped => false,
            };
            Some(if record.fields.iter().any(is_id) { STORED_ID } else { ID_IN_JSON })
        }
        Json::AsStored => Some(&field.name),
    }
}

pub(in crate::rules) fn enforce(record: &Record, errors: &Errors) {
    let mut taken: BTreeMap<&str, &Field> = BTreeMap::new();
    // A field without the attribute keeps the name; the message is at the renamed field.
    let (given, kept): (Vec<_>, Vec<_>) = record.judged().partition(|field| renamed(field).is_some());
    for field in kept {
        taken.extend(name_of(field, record).map(|name| (name, field)));
    }
    for field in given {
        let Some((name, tokens)) = renamed(field) else { continue };
        let what = if name.is_empty() {
            format!("`{}` needs a name in JSON", field.rust_name)
        } else if name.starts_with('$') {
            format!("the name `{name}` begins with `$`, as the types of extended JSON do")
        } else if let Some(other) = taken.insert(name, field) {
            format!("`{}` and `{}` are both called `{name}` in JSON", field.rust_name, other.rust_name)
        } else {
            continue;
        };
        errors.rule(tokens, ID, &what, HELP);
    }
}

/// Checks the names of the fields of each variant against the tag.
pub(in crate::rules) fn enforce_tag(tagged: &Tagged, errors: &Errors) {
    // With `content` the fields lie one level below the tag.
    if tagged.content.is_some() {
        return;
    }
    for field in tagged.records().flat_map(Record::judged) {
        if let Some((name, tokens)) = renamed(field).filter(|(name, _)| *name == tagged.tag) {
            let what = format!("`{}` has the name `{name}` in JSON, which is the tag of the enum", field.rust_name);
            errors.rule(tokens, ID, &what, HELP);
        }
    }
}
