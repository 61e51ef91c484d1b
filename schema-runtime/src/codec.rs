//! The one place that knows which of the driver's two bson crates is in use: everything else goes through these names.

mod scalar;

use mongodb::bson::{Bson, Document, RawArray, RawBsonRef, RawDocument, RawDocumentBuf, raw::RawElement};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_path_to_error::Segment;

#[cfg(not(feature = "bson-3"))]
use mongodb::bson::{de::Error as DeserializeError, from_slice, ser::Error as SerializeError, to_raw_document_buf};
#[cfg(feature = "bson-3")]
use mongodb::bson::{
    deserialize_from_slice as from_slice, error::Error as SerializeError, error::Error as DeserializeError,
    serialize_to_raw_document_buf as to_raw_document_buf,
};

/// A value as BSON, the same as it has in a document: a type may write itself otherwise for people, as an IP address does,
/// and the bson crates take a value on its own for one of those.
pub(crate) fn encode_value<T: Serialize>(value: &T) -> Result<Bson, SerializeError> {
    if let Some(scalar) = scalar::encode(value) {
        return Ok(scalar);
    }
    let document = to_raw_document_buf(&Only { value })?;
    let value = document.iter().next().and_then(|element| Bson::try_from(element.ok()?.1).ok());
    Ok(value.unwrap_or(Bson::Null))
}

/// A value from BSON, as it has it in a document.
pub(crate) fn decode_value<T: DeserializeOwned>(value: &Bson) -> Result<T, String> {
    let document = to_raw_document_buf(&Only { value }).map_err(|error| error.to_string())?;
    decode::<Only<T>>(&document).map(|only| only.value).map_err(|error| error.to_string())
}

/// A document of one value.
#[derive(Serialize, Deserialize)]
struct Only<T> {
    value: T,
}

/// A struct as raw BSON.
pub(crate) fn encode<T: Serialize>(value: &T) -> Result<RawDocumentBuf, SerializeError> {
    to_raw_document_buf(value)
}

/// A struct straight from raw BSON.
pub(crate) fn decode<T: DeserializeOwned>(raw: &RawDocument) -> Result<T, DeserializeError> {
    from_slice(raw.as_bytes())
}

/// One field of a raw document.
pub(crate) struct Element<'a>(RawElement<'a>);

impl<'a> Element<'a> {
    pub(crate) fn name(&self) -> &'a str {
        #[cfg(not(feature = "bson-3"))]
        return self.0.key();
        #[cfg(feature = "bson-3")]
        return self.0.key().as_str();
    }

    /// The bytes of the value, without its type and name.
    pub(crate) fn size(&self) -> usize {
        #[cfg(not(feature = "bson-3"))]
        return self.0.len();
        #[cfg(feature = "bson-3")]
        return self.0.size();
    }

    /// The value; `None` where the bytes are not BSON.
    pub(crate) fn value(&self) -> Option<RawBsonRef<'a>> {
        self.0.value().ok()
    }
}

/// The fields of a raw document, in its order; ends early where the bytes are not BSON.
pub(crate) fn elements(document: &RawDocument) -> impl Iterator<Item = Element<'_>> {
    document.iter_elements().map_while(|element| element.ok().map(Element))
}

/// A raw array as the document that it is stored as, whose names are the positions.
pub(crate) fn as_document(array: &RawArray) -> Option<&RawDocument> {
    RawDocument::from_bytes(array.as_bytes()).ok()
}

/// Where in a document decoding fails, and why. Slow: for a document that [`decode`] refused.
pub(crate) fn locate_failure<T: DeserializeOwned>(raw: &RawDocument) -> (String, String) {
    let document = match Document::try_from(raw) {
        Ok(document) => document,
        Err(error) => return (String::new(), error.to_string()),
    };
    let deserializer = mongodb::bson::Deserializer::new(Bson::Document(document));
    match serde_path_to_error::deserialize::<_, T>(deserializer) {
        Ok(_) => (String::new(), "the raw document does not fit, its parsed form does".to_owned()),
        Err(error) => (dotted(error.path()), error.into_inner().to_string()),
    }
}

/// A path as MongoDB writes it: `addresses.1.city`.
fn dotted(path: &serde_path_to_error::Path) -> String {
    let steps = path.iter().map(|step| match step {
        Segment::Seq { index } => index.to_string(),
        Segment::Map { key } => key.clone(),
        Segment::Enum { variant } => variant.clone(),
        Segment::Unknown => "?".to_owned(),
    });
    steps.collect::<Vec<_>>().join(".")
}
