//! Makes values of structs from parsed JSON texts. The one place where a document of JSON is decoded.

use mongodb::bson::{Document, RawDocument};
use serde::de::DeserializeOwned;

use super::{
    mistake::mistype,
    name::{Fields, path_in_json},
    options::JsonOptions,
    read::read_fields,
    tree::JsonTree,
};
use crate::{
    codec,
    definition::hold_rules,
    error::{FailedRule, Fault, JsonError, JsonErrorKind, text::reason},
    field::{Record, readable_fields},
    limits::DOCUMENT_BYTES,
    refusal,
};

/// A type that this crate reads from JSON: a model, an embedded struct, a projection, and a list or an option of such
/// structs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not read from JSON by this crate",
    label = "this derives no `Model`, `Embed` or `Projection`",
    note = "help: derive `Model`, `Embed` or `Projection` on the struct; a list is a `Vec`"
)]
pub trait FromJson: Sized {
    /// Makes the value.
    #[doc(hidden)]
    fn from_tree(tree: JsonTree, options: JsonOptions) -> Result<Self, JsonError>;
}

impl<T: Record + DeserializeOwned> FromJson for T {
    fn from_tree(tree: JsonTree, options: JsonOptions) -> Result<Self, JsonError> {
        let fields = Fields { list: T::FIELDS, variants: T::TAGGED };
        match tree {
            JsonTree::Object(entries) => decode(fields, read_fields(fields, entries, options)?),
            tree => Err(mistype("an object", &tree)),
        }
    }
}

/// Decodes a document with stored names and stored types.
fn decode<T: DeserializeOwned>(fields: Fields, document: Document) -> Result<T, JsonError> {
    let refused = |path: &str, message: &str| {
        let error = JsonError::new(JsonErrorKind::Refused { reason: reason(message) });
        if path.is_empty() { error } else { error.under(path_in_json(fields, path)) }
    };
    if hold_rules(fields.list) {
        let stored = codec::encode(&document).map_err(|error| refused("", &error.to_string()))?;
        enforce_rules(fields, &stored)?;
    }
    let readable = readable_fields(fields.list, fields.variants, document).map_err(|misfit| {
        let (path, message) = misfit.into_parts();
        refused(&path, message)
    })?;
    let raw = codec::encode(&readable).map_err(|error| refused("", &error.to_string()))?;
    let bytes = raw.as_bytes().len();
    if bytes > DOCUMENT_BYTES {
        return Err(JsonError::new(JsonErrorKind::TooLarge { bytes, most: DOCUMENT_BYTES }));
    }
    codec::decode::<T>(&raw).map_err(|error| refused(&codec::locate_failure::<T>(&raw, &error), &error.to_string()))
}

/// Refuses a document whose values fail rules. The error has all failures, with paths in the names of JSON.
fn enforce_rules(fields: Fields, stored: &RawDocument) -> Result<(), JsonError> {
    let faults = refusal::faults(fields.list, fields.variants, stored);
    if faults.iter().all(|fault| matches!(fault, Fault::Bound(_))) {
        // A write refuses values over their bounds.
        return Ok(());
    }
    let failures = faults.into_iter().map(|fault| {
        let failed = fault.into_rule();
        FailedRule { field: path_in_json(fields, &failed.field), ..failed }
    });
    Err(JsonError::new(JsonErrorKind::Failed { failures: failures.collect() }))
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_tree(tree: JsonTree, options: JsonOptions) -> Result<Self, JsonError> {
        let JsonTree::List(elements) = tree else { return Err(mistype("an array", &tree)) };
        let each = elements.into_iter().enumerate();
        each.map(|(at, element)| T::from_tree(element, options).map_err(|error| error.under(at))).collect()
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_tree(tree: JsonTree, options: JsonOptions) -> Result<Self, JsonError> {
        match tree {
            JsonTree::Null => Ok(None),
            tree => T::from_tree(tree, options).map(Some),
        }
    }
}
