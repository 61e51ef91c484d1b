//! Reads single values from the plain form of JSON, and from extended JSON of the same type.

use base64::{Engine, engine::general_purpose::STANDARD};
use mongodb::bson::{Binary, Bson, DateTime, Timestamp, spec::BinarySubtype};

use super::{
    date, double,
    mistake::{misform, mistype, out_of_range},
    options::{JsonOptions, LARGEST_EXACT, LargeIntegers},
    tree::{JsonNumber, JsonTree},
};
use crate::{
    definition::{Integer, Scalar, Shape},
    error::JsonError,
    text,
};

const DOUBLE: &str = "a number, or the text `NaN`, `Infinity` or `-Infinity`";
const BINARY: &str = "text in base64";
const TIMESTAMP: &str = "an object as {\"$timestamp\": {\"t\": 1, \"i\": 1}}";
/// The number of bytes of a UUID.
const UUID_BYTES: usize = 16;

/// Reads a value of this type.
pub(super) fn read(scalar: Scalar, shape: &Shape, tree: JsonTree, options: JsonOptions) -> Result<Bson, JsonError> {
    match scalar {
        Scalar::ObjectId => read_text(tree, "$oid", text::OBJECT_ID, text::object_id),
        Scalar::Decimal128 => read_text(tree, "$numberDecimal", text::DECIMAL, text::decimal),
        Scalar::DateTime => read_date(tree),
        Scalar::Uuid => read_uuid(tree),
        Scalar::Binary => read_binary(tree),
        Scalar::Timestamp => read_timestamp(tree),
        Scalar::Integer => read_integer(shape.integer, tree, options),
        Scalar::Double => read_double(tree).map(Bson::Double),
        Scalar::Single => read_single(tree),
        Scalar::Bool => match tree {
            JsonTree::Bool(value) => Ok(Bson::Boolean(value)),
            tree => Err(mistype("true or false", &tree)),
        },
    }
}

/// Reads a text, plain or under the name of extended JSON.
fn read_text(tree: JsonTree, name: &str, form: &'static str, of: fn(&str) -> Option<Bson>) -> Result<Bson, JsonError> {
    match tree.unwrapped(name).unwrap_or_else(|tree| tree) {
        JsonTree::Text(text) => of(&text).ok_or_else(|| misform(form)),
        tree => Err(mistype(form, &tree)),
    }
}

fn read_date(tree: JsonTree) -> Result<Bson, JsonError> {
    let (tree, is_wrapped) = match tree.unwrapped("$date") {
        Ok(tree) => (tree, true),
        Err(tree) => (tree, false),
    };
    let millis = match tree {
        JsonTree::Text(text) => return date::parse(&text).map(Bson::DateTime).ok_or_else(|| misform(date::FORM)),
        JsonTree::Number(JsonNumber::Integer(millis)) if is_wrapped => millis,
        tree if is_wrapped => match tree.unwrapped("$numberLong") {
            Ok(JsonTree::Text(text)) => text::whole_number(&text).ok_or_else(|| misform(date::FORM))?,
            Ok(tree) | Err(tree) => return Err(mistype(date::FORM, &tree)),
        },
        tree => return Err(mistype(date::FORM, &tree)),
    };
    Ok(Bson::DateTime(DateTime::from_millis(millis)))
}

fn read_uuid(tree: JsonTree) -> Result<Bson, JsonError> {
    match tree.unwrapped("$binary") {
        Ok(inner) => {
            let binary = binary_of(inner).filter(|binary| binary.subtype == BinarySubtype::Uuid);
            let binary = binary.filter(|binary| binary.bytes.len() == UUID_BYTES);
            binary.map(Bson::Binary).ok_or_else(|| misform(text::UUID))
        }
        Err(tree) => read_text(tree, "$uuid", text::UUID, text::uuid),
    }
}

fn read_binary(tree: JsonTree) -> Result<Bson, JsonError> {
    match tree.unwrapped("$binary") {
        Ok(inner) => binary_of(inner).map(Bson::Binary).ok_or_else(|| misform(BINARY)),
        Err(JsonTree::Text(text)) => {
            let bytes = STANDARD.decode(text).map_err(|_| misform(BINARY))?;
            Ok(Bson::Binary(Binary { subtype: BinarySubtype::Generic, bytes }))
        }
        Err(tree) => Err(mistype(BINARY, &tree)),
    }
}

/// Reads `{"base64": "..", "subType": "00"}`.
fn binary_of(tree: JsonTree) -> Option<Binary> {
    let JsonTree::Object(entries) = tree else { return None };
    let [(first, one), (second, other)] = <[(String, JsonTree); 2]>::try_from(entries).ok()?;
    let (base64, subtype) = match (first.as_str(), one, second.as_str(), other) {
        ("base64", JsonTree::Text(base64), "subType", JsonTree::Text(subtype))
        | ("subType", JsonTree::Text(subtype), "base64", JsonTree::Text(base64)) => (base64, subtype),
        _ => return None,
    };
    let is_hexadecimal = subtype.len() <= 2 && subtype.bytes().all(|byte| byte.is_ascii_hexdigit());
    let subtype = u8::from_str_radix(&subtype, 16).ok().filter(|_| is_hexadecimal)?;
    Some(Binary { subtype: subtype.into(), bytes: STANDARD.decode(base64).ok()? })
}

fn read_timestamp(tree: JsonTree) -> Result<Bson, JsonError> {
    let inner = tree.unwrapped("$timestamp").map_err(|tree| mistype(TIMESTAMP, &tree))?;
    let JsonTree::Object(entries) = inner else { return Err(misform(TIMESTAMP)) };
    let [(first, one), (second, other)] = &entries[..] else { return Err(misform(TIMESTAMP)) };
    let part = |tree: &JsonTree| match tree {
        JsonTree::Number(JsonNumber::Integer(number)) => u32::try_from(*number).ok(),
        _ => None,
    };
    let parts = match (first.as_str(), second.as_str()) {
        ("t", "i") => part(one).zip(part(other)),
        ("i", "t") => part(other).zip(part(one)),
        _ => None,
    };
    let (time, increment) = parts.ok_or_else(|| misform(TIMESTAMP))?;
    Ok(Bson::Timestamp(Timestamp { time, increment }))
}

fn read_integer(of: Option<Integer>, tree: JsonTree, options: JsonOptions) -> Result<Bson, JsonError> {
    let expected = || text::integer_form(of);
    let beyond = || out_of_range(expected());
    let tree = match unwrapped_number(tree, &["$numberLong", "$numberInt"]) {
        Ok(text) => {
            let number = text::whole_number(&text).ok_or_else(|| misform(expected()))?;
            return text::integer(of, number).ok_or_else(beyond);
        }
        Err(tree) => tree,
    };
    match tree {
        JsonTree::Number(JsonNumber::Integer(number)) => text::integer(of, number).ok_or_else(beyond),
        JsonTree::Number(JsonNumber::Unsigned(_)) => Err(beyond()),
        JsonTree::Number(JsonNumber::Double(_)) => Err(misform(expected())),
        JsonTree::Text(text) if options.large_integers == LargeIntegers::AsText => {
            let number = text::whole_number(&text).filter(|number| number.unsigned_abs() > LARGEST_EXACT);
            let form = || format!("{}, as text beyond 2^53", expected());
            number.ok_or_else(|| misform(form())).and_then(|number| text::integer(of, number).ok_or_else(beyond))
        }
        tree => Err(mistype(expected(), &tree)),
    }
}

/// Returns the text under one of these names of extended JSON; any other tree as the error.
fn unwrapped_number(tree: JsonTree, names: &[&str]) -> Result<String, JsonTree> {
    let is_wrapped = matches!(&tree, JsonTree::Object(entries) if matches!(
        &entries[..], [(name, JsonTree::Text(_))] if names.contains(&name.as_str())
    ));
    match tree {
        JsonTree::Object(mut entries) if is_wrapped => match entries.pop() {
            Some((_, JsonTree::Text(text))) => Ok(text),
            _ => Err(JsonTree::Object(entries)),
        },
        tree => Err(tree),
    }
}

fn read_double(tree: JsonTree) -> Result<f64, JsonError> {
    let tree = match unwrapped_number(tree, &["$numberDouble", "$numberLong", "$numberInt"]) {
        Ok(text) => return text.parse().map_err(|_| misform(DOUBLE)),
        Err(tree) => tree,
    };
    match tree {
        JsonTree::Number(JsonNumber::Integer(number)) => Ok(number as f64),
        JsonTree::Number(JsonNumber::Unsigned(number)) => Ok(number as f64),
        JsonTree::Number(JsonNumber::Double(number)) => Ok(number),
        JsonTree::Text(text) => double::parse(&text).ok_or_else(|| misform(DOUBLE)),
        tree => Err(mistype(DOUBLE, &tree)),
    }
}

/// Reads an `f32`, which is stored as the double with the same value.
fn read_single(tree: JsonTree) -> Result<Bson, JsonError> {
    let number = read_double(tree)?;
    let single = number as f32;
    if number.is_finite() && !single.is_finite() {
        return Err(out_of_range(format!("a number from {:e} to {:e}", f32::MIN, f32::MAX)));
    }
    Ok(Bson::Double(single.into()))
}
