//! JSON for clients, from the same structs that are stored: [`to_json`] and [`Json`] write JSON, [`from_json`] reads
//! JSON from a client that nobody trusts. [The page `json`](crate::guide) has the form of each type.
//!
//! Feature `json`.

mod date;
mod decode;
mod double;
mod extended;
mod joined;
mod mistake;
mod name;
mod options;
mod prepared;
mod read;
mod scalar;
mod schema;
mod tree;
mod write;

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::Value;

pub use decode::FromJson;
#[cfg(feature = "schema-file")]
pub(crate) use extended::Extended;
pub use options::JsonOptions;
pub use prepared::ToJson;
#[cfg(all(feature = "axum", feature = "utoipa"))]
pub(crate) use schema::openapi_schema;
pub use schema::{HasJsonSchema, json_schema};
use tree::JsonTree;

use crate::error::{Error, JsonError, Result};

/// Returns a model, an embedded struct, a projection, a list, a page or the result of a join as JSON.
///
/// # Errors
/// [`Error::Encode`] for a value that BSON cannot hold, as a `u64` above `i64::MAX`.
pub fn to_json<T: ToJson + ?Sized>(value: &T) -> Result<Value> {
    JsonOptions::new().to_json(value)
}

/// Reads a struct from a JSON text: a `&str` or bytes.
///
/// # Errors
/// [`JsonError`] with the path of the first mistake.
pub fn from_json<T: FromJson>(text: impl AsRef<[u8]>) -> Result<T, JsonError> {
    JsonOptions::new().from_json(text)
}

/// Reads a struct from a JSON value. A value has each name once: the parser of `serde_json` keeps the last of two equal
/// names, and [`from_json`] refuses two equal names.
///
/// # Errors
/// [`JsonError`] with the path of the first mistake.
pub fn from_value<T: FromJson>(value: &Value) -> Result<T, JsonError> {
    JsonOptions::new().from_value(value)
}

/// Serializes a value as [`to_json`] does: `serde_json::to_string(&Json(&post))`.
#[derive(Debug)]
pub struct Json<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> Clone for Json<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Json<'_, T> {}

impl<T: ToJson + ?Sized> Serialize for Json<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let prepared = self.0.prepare().map_err(S::Error::custom)?;
        prepared.written(JsonOptions::new()).serialize(serializer)
    }
}

impl JsonOptions {
    /// As [`to_json`], with these choices.
    ///
    /// # Errors
    /// As [`to_json`].
    pub fn to_json<T: ToJson + ?Sized>(self, value: &T) -> Result<Value> {
        serde_json::to_value(value.prepare()?.written(self)).map_err(Error::encode)
    }

    /// As [`from_json`], with these choices.
    ///
    /// # Errors
    /// As [`from_json`].
    pub fn from_json<T: FromJson>(self, text: impl AsRef<[u8]>) -> Result<T, JsonError> {
        T::from_tree(JsonTree::parse(text.as_ref())?, self)
    }

    /// As [`from_value`], with these choices.
    ///
    /// # Errors
    /// As [`from_value`].
    pub fn from_value<T: FromJson>(self, value: &Value) -> Result<T, JsonError> {
        T::from_tree(JsonTree::of(value)?, self)
    }
}
