//! The type of a hidden field: a value that a read loads only by name.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, IntoDeserializer, Visitor, value::UnitDeserializer},
};

use crate::field::Field;

/// The value of a field with `#[hidden]`: loaded, or not loaded. A read loads the value only if the read names the
/// field: see [the page `hidden_fields`](crate::guide).
///
/// `Debug` never shows the value. serde writes the value only to formats for programs, as BSON: in a format for people,
/// as JSON, a loaded value and a value that is not loaded are both null.
///
/// ```
/// # use schema_runtime::Hidden;
/// let password = Hidden::from("argon2id$..".to_owned());
/// assert_eq!(password.get().map(String::as_str), Some("argon2id$.."));
/// assert_eq!(format!("{password:?}"), "Hidden(loaded)");
/// assert_eq!(Hidden::<String>::not_loaded().get(), None);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Hidden<T>(Option<T>);

impl<T> Hidden<T> {
    /// Creates a loaded value, as for an insert. [`From`] does the same.
    pub const fn loaded(value: T) -> Self {
        Hidden(Some(value))
    }

    /// Creates a value that was not loaded. A write never stores the absent value: see
    /// [the page `hidden_fields`](crate::guide).
    pub const fn not_loaded() -> Self {
        Hidden(None)
    }

    /// Returns whether the value was loaded.
    pub const fn is_loaded(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the value; `None` when the value was not loaded.
    pub const fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }

    /// Returns the value; `None` when the value was not loaded.
    pub fn into_loaded(self) -> Option<T> {
        self.0
    }

    /// Sets the value, which then counts as loaded: a `replace` and a `save` store the value.
    pub fn set(&mut self, value: T) {
        self.0 = Some(value);
    }
}

impl<T> From<T> for Hidden<T> {
    fn from(value: T) -> Self {
        Hidden::loaded(value)
    }
}

/// A value that was not loaded.
impl<T> Default for Hidden<T> {
    fn default() -> Self {
        Hidden::not_loaded()
    }
}

/// Shows whether the value was loaded, and never the value.
impl<T> fmt::Debug for Hidden<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_loaded() { "Hidden(loaded)" } else { "Hidden(not loaded)" })
    }
}

impl<T: Serialize> Serialize for Hidden<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.get().filter(|_| !serializer.is_human_readable()) {
            Some(value) => serializer.serialize_some(value),
            None => serializer.serialize_none(),
        }
    }
}

/// Reads a value; an absent field was not loaded.
impl<'de, T: Deserialize<'de> + Field> Deserialize<'de> for Hidden<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // serde reads an absent field as a null of a format for people.
        let holds_null = T::SHAPE.nullable && !deserializer.is_human_readable();
        deserializer.deserialize_option(Loaded { holds_null, value: PhantomData })
    }
}

/// Reads a value that may be absent.
struct Loaded<T> {
    /// True when a null is a value.
    holds_null: bool,
    value: PhantomData<fn() -> T>,
}

/// The message about a stored value that does not fit. The message of the type could show the value.
const UNFIT: &str = "a hidden value does not fit the type of the field";

impl<'de, T: Deserialize<'de>> Visitor<'de> for Loaded<T> {
    type Value = Hidden<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a hidden value")
    }

    fn visit_none<E: serde::de::Error>(self) -> Result<Hidden<T>, E> {
        self.visit_unit()
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Hidden<T>, E> {
        if !self.holds_null {
            return Ok(Hidden::not_loaded());
        }
        let null: UnitDeserializer<E> = ().into_deserializer();
        T::deserialize(null).map(Hidden::loaded).map_err(|_| E::custom(UNFIT))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Hidden<T>, D::Error> {
        T::deserialize(deserializer).map(Hidden::loaded).map_err(|_| D::Error::custom(UNFIT))
    }
}

/// Returns the stored names of the hidden fields of a value that were not loaded.
#[doc(hidden)]
pub fn unloaded(fields: &[(&'static str, bool)]) -> Vec<&'static str> {
    fields.iter().filter(|(_, is_loaded)| !is_loaded).map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Bson, Document, doc};

    use super::*;
    use crate::codec;

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    struct User {
        name: String,
        password: Hidden<String>,
        code: Hidden<Option<i32>>,
    }

    fn stored(user: &User) -> Document {
        Document::try_from(&*codec::encode(user).unwrap()).unwrap()
    }

    fn read(document: &Document) -> User {
        codec::decode(&codec::encode(document).unwrap()).unwrap()
    }

    #[test]
    fn an_absent_field_was_not_loaded() {
        let user = read(&doc! { "name": "Ada" });
        assert_eq!((user.password, user.code), (Hidden::not_loaded(), Hidden::not_loaded()));
    }

    #[test]
    fn a_null_is_a_value_of_an_option_and_of_nothing_else() {
        let user = read(&doc! { "name": "Ada", "password": Bson::Null, "code": Bson::Null });
        assert_eq!((user.password, user.code), (Hidden::not_loaded(), Hidden::loaded(None)));
    }

    #[test]
    fn a_document_keeps_what_was_loaded() {
        let user = User { name: "Ada".into(), password: "x".to_owned().into(), code: Some(7).into() };
        assert_eq!(stored(&user), doc! { "name": "Ada", "password": "x", "code": 7 });
        assert_eq!(read(&stored(&user)), user);
    }

    #[test]
    fn debug_shows_nothing() {
        let user = User { name: "Ada".into(), password: "secret".to_owned().into(), code: Some(7).into() };
        let text = format!("{user:?}");
        assert!(!text.contains("secret") && !text.contains('7'), "{text}");
    }

    #[test]
    fn an_unfit_value_is_not_in_the_error() {
        let document = codec::encode(&doc! { "name": "Ada", "code": "secret" }).unwrap();
        let error = codec::decode::<User>(&document).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    }
}
