//! MongoDB's extended JSON, for values that have no plain form: values of unknown form, and rare types.

use std::collections::BTreeMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use mongodb::bson::{Bson, Document};
use serde::{Serialize, Serializer};

use super::{
    date, double,
    mistake::{doubled, misform, mistype, out_of_range},
    options::JsonOptions,
    scalar,
    tree::{JsonNumber, JsonTree},
};
use crate::{
    definition::{Integer, Scalar, Shape},
    error::JsonError,
    text,
};

const PLAIN_NAMES: &str = "an object whose names do not begin with `$` and have no NUL";

/// A value as relaxed extended JSON.
pub(crate) struct Extended<'a>(pub(crate) &'a Bson);

impl Serialize for Extended<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Bson::Document(document) => {
                serializer.collect_map(document.iter().map(|(name, value)| (name, Extended(value))))
            }
            Bson::Array(elements) => serializer.collect_seq(elements.iter().map(Extended)),
            Bson::Int64(number) => serializer.serialize_i64(*number),
            Bson::Double(number) => match double::text_of(*number) {
                Some(text) => serializer.collect_map([("$numberDouble", text)]),
                None => serializer.serialize_f64(*number),
            },
            Bson::DateTime(date) => match date::text_of(*date) {
                Some(text) => serializer.collect_map([("$date", text)]),
                None => {
                    let millis = Wrapped { name: "$numberLong", text: date.timestamp_millis().to_string() };
                    serializer.collect_map([("$date", millis)])
                }
            },
            Bson::Binary(binary) => {
                let subtype = format!("{:02x}", u8::from(binary.subtype));
                let parts = [("base64", STANDARD.encode(&binary.bytes)), ("subType", subtype)];
                serializer.collect_map([("$binary", BTreeMap::from(parts))])
            }
            value => value.serialize(serializer),
        }
    }
}

/// `{"$numberLong": "5"}`
struct Wrapped {
    name: &'static str,
    text: String,
}

impl Serialize for Wrapped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.name, &self.text)])
    }
}

/// The names of extended JSON that stand for a value, with the type of the value. No other name of a value of unknown
/// form begins with `$`, so that no text becomes an operator.
const NAMES: [(&str, Scalar); 9] = [
    ("$oid", Scalar::ObjectId),
    ("$date", Scalar::DateTime),
    ("$numberInt", Scalar::Integer),
    ("$numberLong", Scalar::Integer),
    ("$numberDouble", Scalar::Double),
    ("$numberDecimal", Scalar::Decimal128),
    ("$binary", Scalar::Binary),
    ("$uuid", Scalar::Uuid),
    ("$timestamp", Scalar::Timestamp),
];

/// Reads a value of unknown form: plain JSON, or extended JSON.
pub(super) fn read_any(tree: JsonTree, options: JsonOptions) -> Result<Bson, JsonError> {
    Ok(match tree {
        JsonTree::TooDeep => return Err(mistype("a value", &tree)),
        JsonTree::Null => Bson::Null,
        JsonTree::Bool(value) => Bson::Boolean(value),
        JsonTree::Text(text) => Bson::String(text),
        JsonTree::Number(JsonNumber::Integer(number)) => smallest(number),
        JsonTree::Number(JsonNumber::Unsigned(_)) => return Err(out_of_range(text::integer_form(None))),
        JsonTree::Number(JsonNumber::Double(number)) => Bson::Double(number),
        JsonTree::List(elements) => {
            let each = elements.into_iter().enumerate();
            let each = each.map(|(at, element)| read_any(element, options).map_err(|error| error.under(at)));
            Bson::Array(each.collect::<Result<_, _>>()?)
        }
        JsonTree::Object(entries) => match entries.first() {
            Some((name, _)) if name.starts_with('$') => read_wrapped(JsonTree::Object(entries), options)?,
            _ => read_entries(entries, options)?,
        },
    })
}

/// Reads a value under a name of extended JSON: `{"$oid": ".."}`.
fn read_wrapped(tree: JsonTree, options: JsonOptions) -> Result<Bson, JsonError> {
    let name = tree.wrapper().unwrap_or_default();
    let Some((_, scalar)) = NAMES.iter().find(|(known, _)| *known == name) else {
        return Err(misform(PLAIN_NAMES));
    };
    // A wrapped `$numberInt` is an `int` again.
    const INT: Integer = Integer { name: "i32", least: i32::MIN as i64, greatest: i32::MAX as i64 };
    let shape = if name == "$numberInt" { Shape::integer(INT) } else { Shape::scalar(*scalar) };
    scalar::read(*scalar, &shape, tree, options)
}

fn read_entries(entries: Vec<(String, JsonTree)>, options: JsonOptions) -> Result<Bson, JsonError> {
    let mut document = Document::new();
    for (name, tree) in entries {
        if name.starts_with('$') || name.contains('\0') {
            return Err(misform(PLAIN_NAMES));
        }
        if document.contains_key(&name) {
            return Err(doubled().under("*"));
        }
        let value = read_any(tree, options).map_err(|error| error.under("*"))?;
        document.insert(name, value);
    }
    Ok(Bson::Document(document))
}

/// Returns an integer as an `int` where an `int` holds the integer.
fn smallest(number: i64) -> Bson {
    i32::try_from(number).map_or(Bson::Int64(number), Bson::Int32)
}
