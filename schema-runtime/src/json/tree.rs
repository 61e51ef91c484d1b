//! A parsed JSON text that keeps equal names, and marks the values that lie too deep.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use crate::error::{JsonError, JsonErrorKind};

/// The most levels of a document (MongoDB limits, "Nested Depth for BSON Documents").
pub(super) const LEVELS: usize = 100;

/// The name of a number's text where the application turns on the feature `arbitrary_precision` of `serde_json`.
const NUMBER_TEXT: &str = "$serde_json::private::Number";

/// A parsed JSON text.
#[doc(hidden)]
pub enum JsonTree {
    Null,
    Bool(bool),
    Number(JsonNumber),
    Text(String),
    List(Vec<JsonTree>),
    Object(Vec<(String, JsonTree)>),
    /// A list or an object below the last level.
    TooDeep,
}

/// A JSON number.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum JsonNumber {
    Integer(i64),
    /// Above `i64::MAX`.
    Unsigned(u64),
    Double(f64),
}

impl JsonTree {
    /// Parses a text.
    pub(super) fn parse(text: &[u8]) -> Result<JsonTree, JsonError> {
        let mut parser = serde_json::Deserializer::from_slice(text);
        let tree = Level(LEVELS).deserialize(&mut parser);
        tree.and_then(|tree| parser.end().map(|()| tree)).map_err(|error| syntax(&error))
    }

    /// Copies a value.
    pub(super) fn of(value: &Value) -> Result<JsonTree, JsonError> {
        Level(LEVELS).deserialize(value).map_err(|error| syntax(&error))
    }

    /// Returns the name of the type for messages.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            JsonTree::Null => "null",
            JsonTree::Bool(_) => "a boolean",
            JsonTree::Number(_) => "a number",
            JsonTree::Text(_) => "text",
            JsonTree::List(_) => "an array",
            JsonTree::Object(_) | JsonTree::TooDeep => "an object",
        }
    }

    /// Returns the name of an object with one name that begins with `$`, as extended JSON writes a value.
    pub(super) fn wrapper(&self) -> Option<&str> {
        match self {
            JsonTree::Object(entries) => match &entries[..] {
                [(name, _)] if name.starts_with('$') => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the value in an object with this one name; any other tree as the error.
    pub(super) fn unwrapped(self, name: &str) -> Result<JsonTree, JsonTree> {
        match self {
            JsonTree::Object(mut entries) if entries.len() == 1 && entries[0].0 == name => {
                entries.pop().map(|(_, value)| value).ok_or(JsonTree::Null)
            }
            other => Err(other),
        }
    }
}

fn syntax(error: &serde_json::Error) -> JsonError {
    JsonError::new(JsonErrorKind::Syntax { line: error.line(), column: error.column() })
}

/// Reads a value with this number of levels below.
struct Level(usize);

impl<'de> DeserializeSeed<'de> for Level {
    type Value = JsonTree;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsonTree, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = JsonTree;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<JsonTree, E> {
        Ok(JsonTree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<JsonTree, E> {
        Ok(JsonTree::Bool(value))
    }

    fn visit_i64<E>(self, number: i64) -> Result<JsonTree, E> {
        Ok(JsonTree::Number(JsonNumber::Integer(number)))
    }

    fn visit_u64<E>(self, number: u64) -> Result<JsonTree, E> {
        Ok(JsonTree::Number(i64::try_from(number).map_or(JsonNumber::Unsigned(number), JsonNumber::Integer)))
    }

    fn visit_f64<E>(self, number: f64) -> Result<JsonTree, E> {
        Ok(JsonTree::Number(JsonNumber::Double(number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<JsonTree, E> {
        Ok(JsonTree::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<JsonTree, E> {
        Ok(JsonTree::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonTree, A::Error> {
        let Some(below) = self.0.checked_sub(1) else {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(JsonTree::TooDeep);
        };
        let mut elements = Vec::new();
        while let Some(element) = list.next_element_seed(Level(below))? {
            elements.push(element);
        }
        Ok(JsonTree::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<JsonTree, A::Error> {
        let Some(below) = self.0.checked_sub(1) else {
            return read_too_deep(object);
        };
        let mut entries = Vec::new();
        while let Some(name) = object.next_key::<String>()? {
            if name == NUMBER_TEXT {
                return number(&object.next_value::<String>()?).map(JsonTree::Number);
            }
            entries.push((name, object.next_value_seed(Level(below))?));
        }
        Ok(JsonTree::Object(entries))
    }
}

/// Reads an object below the last level, or a number that looks like an object.
fn read_too_deep<'de, A: MapAccess<'de>>(mut object: A) -> Result<JsonTree, A::Error> {
    while let Some(name) = object.next_key::<String>()? {
        if name == NUMBER_TEXT {
            return number(&object.next_value::<String>()?).map(JsonTree::Number);
        }
        object.next_value::<IgnoredAny>()?;
    }
    Ok(JsonTree::TooDeep)
}

/// Reads the text of a number.
fn number<E: serde::de::Error>(text: &str) -> Result<JsonNumber, E> {
    if let Ok(number) = text.parse::<i64>() {
        return Ok(JsonNumber::Integer(number));
    }
    if let Ok(number) = text.parse::<u64>() {
        return Ok(JsonNumber::Unsigned(number));
    }
    let double = text.parse::<f64>().ok().filter(|number| number.is_finite());
    double.map(JsonNumber::Double).ok_or_else(|| E::custom("no number"))
}
