//! The form of patches for serde.

/// Reads and writes a field `Option<Option<T>>` of a [patch](derive@crate::Patch), so that an absent field, null and a
/// value stay distinct. serde alone reads a null as the outer `None`, which changes nothing.
///
/// ```
/// # use schema_runtime::prelude::*;
/// # #[derive(Model, Serialize, Deserialize)] #[model(collection = "posts")]
/// # struct Post { #[serde(rename = "_id")] id: ObjectId, note: Option<String> }
/// #[derive(Patch, Serialize, Deserialize)]
/// #[patch(Post)]
/// struct EditPost {
///     #[serde(default, skip_serializing_if = "Option::is_none", with = "schema_runtime::patch::nullable")]
///     note: Option<Option<String>>,
/// }
/// ```
///
/// | JSON | value | change |
/// |---|---|---|
/// | `{}` | `None` | no change |
/// | `{ "note": null }` | `Some(None)` | null |
/// | `{ "note": "new" }` | `Some(Some("new".to_owned()))` | the text |
pub mod nullable {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Reads a field that is present: null is `Some(None)`.
    ///
    /// # Errors
    /// The error of the deserializer, for a value of another type.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
    where
        T: Deserialize<'de>,
        D: Deserializer<'de>,
    {
        Option::deserialize(deserializer).map(Some)
    }

    /// Writes the inner `Option`. `skip_serializing_if` leaves the outer `None` out.
    ///
    /// # Errors
    /// The error of the serializer.
    pub fn serialize<T, S>(value: &Option<Option<T>>, serializer: S) -> Result<S::Ok, S::Error>
    where
        T: Serialize,
        S: Serializer,
    {
        value.as_ref().and_then(Option::as_ref).serialize(serializer)
    }
}
