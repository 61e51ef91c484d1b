//! Reads the entries of a schema file as the plan reads a server. Pure.

use mongodb::bson::{Bson, Document};
use serde_json::Value;

use crate::{
    indexes::Index,
    manage::{
        plan::{
            options::{StoredOptions, listed_options},
            parse_index,
        },
        schema_file::{IndexEntry, ModelEntry, ShardKeyEntry},
    },
};

/// Returns the indexes of a model.
pub(super) fn indexes(model: &ModelEntry) -> Vec<Index> {
    model.indexes.iter().filter_map(index).collect()
}

fn index(entry: &IndexEntry) -> Option<Index> {
    let mut listed = document(&entry.options);
    listed.insert("key", keys(&entry.keys));
    listed.insert("name", entry.name.as_str());
    parse_index(&listed, None)
}

/// Returns the kind and the options of the collection of a model.
pub(super) fn options(model: &ModelEntry) -> StoredOptions {
    let has = |option: &str| model.options.contains_key(option);
    let of_type = match () {
        () if has("viewOn") => "view",
        () if has("timeseries") => "timeseries",
        () => "collection",
    };
    listed_options(of_type, &document(&model.options))
}

/// Returns a shard key in the notation of the server.
pub(super) fn shard_key(entry: &ShardKeyEntry) -> Document {
    keys(&entry.keys)
}

/// Reads keys with directions: `time: -1`, `_id: hashed`.
fn keys(entries: &[String]) -> Document {
    let key = |entry: &String| {
        let (path, direction) = entry.rsplit_once(": ").unwrap_or((entry, "1"));
        (path.to_owned(), direction.parse().map_or_else(|_| Bson::from(direction), |number: i32| Bson::from(number)))
    };
    entries.iter().map(key).collect()
}

fn document<'a>(entries: impl IntoIterator<Item = (&'a String, &'a Value)>) -> Document {
    entries.into_iter().map(|(name, value)| (name.clone(), bson(value))).collect()
}

/// Returns a value of a file as BSON. The names of extended JSON stay names: both files write a value alike.
fn bson(value: &Value) -> Bson {
    match value {
        Value::Null => Bson::Null,
        Value::Bool(value) => Bson::Boolean(*value),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Bson::Int64(number),
            (None, number) => Bson::Double(number.unwrap_or(f64::NAN)),
        },
        Value::String(text) => Bson::String(text.clone()),
        Value::Array(elements) => elements.iter().map(bson).collect(),
        Value::Object(entries) => Bson::Document(document(entries)),
    }
}
