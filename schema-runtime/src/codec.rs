//! The only module that knows the version of the driver's bson crate: the rest of the crate goes through the names of
//! this module.

mod failure;
mod scalar;

use mongodb::bson::{Bson, DateTime, RawArray, RawBsonRef, RawDocument, RawDocumentBuf, Regex, raw::RawElement};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[cfg(feature = "bson-3")]
pub(crate) use mongodb::bson::error::{Error as EncodeError, Error as DecodeError};
#[cfg(not(feature = "bson-3"))]
pub(crate) use mongodb::bson::{de::Error as DecodeError, ser::Error as EncodeError};
#[cfg(feature = "bson-3")]
use mongodb::bson::{
    deserialize_from_slice as from_slice, serialize_to_bson as to_bson,
    serialize_to_raw_document_buf as to_raw_document_buf,
};
#[cfg(not(feature = "bson-3"))]
use mongodb::bson::{from_slice, to_bson, to_raw_document_buf};

/// Encodes a value as the BSON that the value has in a document. A type may have a different form for people, as an IP
/// address does. For a value outside of a document, the bson crates choose the form for people.
pub(crate) fn encode_value<T: Serialize>(value: &T) -> Result<Bson, EncodeError> {
    if let Some(scalar) = scalar::encode(value) {
        return Ok(scalar);
    }
    let document = to_raw_document_buf(&Only { value })?;
    let value = document.iter().next().and_then(|element| Bson::try_from(element.ok()?.1).ok());
    Ok(value.unwrap_or(Bson::Null))
}

/// Encodes a value in the form for people. serde reads a value in this form where serde keeps the values of a struct in
/// memory (`flatten`).
pub(crate) fn encode_for_people<T: Serialize>(value: &T) -> Result<Bson, EncodeError> {
    to_bson(value)
}

/// Decodes a value from the BSON that the value has in a document.
pub(crate) fn decode_value<T: DeserializeOwned>(value: &Bson) -> Result<T, String> {
    let document = to_raw_document_buf(&Only { value }).map_err(|error| error.to_string())?;
    decode::<Only<T>>(&document).map(|only| only.value).map_err(|error| error.to_string())
}

/// Decodes the value of a document whose only field is `value`; `None` where serde does not read the type.
pub(crate) fn decode_only<T: DeserializeOwned>(document: &RawDocument) -> Option<T> {
    decode::<Only<T>>(document).ok().map(|only| only.value)
}

/// A document with a single value.
#[derive(Serialize, Deserialize)]
struct Only<T> {
    value: T,
}

/// Encodes a struct as raw BSON.
pub(crate) fn encode<T: Serialize>(value: &T) -> Result<RawDocumentBuf, EncodeError> {
    to_raw_document_buf(value)
}

/// Decodes a struct directly from raw BSON.
pub(crate) fn decode<T: DeserializeOwned>(raw: &RawDocument) -> Result<T, DecodeError> {
    from_slice(raw.as_bytes())
}

/// Returns a pattern with options as a value; `None` where the server could not take the pattern.
pub(crate) fn pattern(pattern: &str, options: &str) -> Option<Bson> {
    #[cfg(not(feature = "bson-3"))]
    let regex = Regex { pattern: pattern.to_owned(), options: options.to_owned() };
    #[cfg(feature = "bson-3")]
    let regex = Regex { pattern: pattern.try_into().ok()?, options: options.try_into().ok()? };
    Some(Bson::RegularExpression(regex))
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

    /// Returns the number of bytes of the value, without the type and the name.
    pub(crate) fn size(&self) -> usize {
        #[cfg(not(feature = "bson-3"))]
        return self.0.len();
        #[cfg(feature = "bson-3")]
        return self.0.size();
    }

    /// Returns the value; `None` where the bytes are not BSON.
    pub(crate) fn value(&self) -> Option<RawBsonRef<'a>> {
        self.0.value().ok()
    }

    /// Appends the field to a document; an element whose bytes are not BSON is left out.
    pub(crate) fn append_to(&self, document: &mut RawDocumentBuf) {
        if let Some(value) = self.value() {
            #[cfg(not(feature = "bson-3"))]
            document.append_ref(self.0.key(), value);
            #[cfg(feature = "bson-3")]
            document.append(self.0.key(), value);
        }
    }
}

/// Returns the fields of a raw document, in stored order; the iterator ends early where the bytes are not BSON.
pub(crate) fn elements(document: &RawDocument) -> impl Iterator<Item = Element<'_>> {
    document.iter_elements().map_while(|element| element.ok().map(Element))
}

/// Returns a raw array as the stored document; the names of the document are the positions.
pub(crate) fn as_document(array: &RawArray) -> Option<&RawDocument> {
    RawDocument::from_bytes(array.as_bytes()).ok()
}

/// Hands the value at a path to `visit`, each element of an array separately, through arrays and documents.
pub(crate) fn each_at<'a>(document: &'a RawDocument, path: &str, visit: &mut dyn FnMut(RawBsonRef<'a>)) {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    if let Some(value) = elements(document).find(|element| element.name() == name).and_then(|element| element.value()) {
        each_in(value, rest, visit);
    }
}

fn each_in<'a>(value: RawBsonRef<'a>, path: Option<&str>, visit: &mut dyn FnMut(RawBsonRef<'a>)) {
    match (value, path) {
        (RawBsonRef::Array(array), path) => {
            for value in as_document(array).into_iter().flat_map(elements).filter_map(|element| element.value()) {
                each_in(value, path, visit);
            }
        }
        (RawBsonRef::Document(document), Some(path)) => each_at(document, path, visit),
        (value, None) => visit(value),
        _ => {}
    }
}

/// Returns the bytes of a field of a document: the type, the name and the value.
pub(crate) fn bytes_of<'a>(document: &'a RawDocument, name: &str) -> Option<&'a [u8]> {
    // A document begins with the length of the document.
    let mut at = 4;
    for element in elements(document) {
        let end = at + 1 + element.name().len() + 1 + element.size();
        if element.name() == name {
            return document.as_bytes().get(at..end);
        }
        at = end;
    }
    None
}

/// Returns the document without a field.
pub(crate) fn without_field(document: &RawDocument, name: &str) -> RawDocumentBuf {
    let bytes = document.as_bytes();
    // A document begins with the length of the document.
    let mut at = 4;
    for element in elements(document) {
        let end = at + 1 + element.name().len() + 1 + element.size();
        if element.name() == name {
            let rest = [&bytes[4..at], &bytes[end..]].concat();
            let length = i32::try_from(rest.len() + 4).unwrap_or(i32::MAX);
            let without = RawDocumentBuf::from_bytes([&length.to_le_bytes()[..], &rest].concat());
            return without.unwrap_or_else(|_| document.to_owned());
        }
        at = end;
    }
    document.to_owned()
}

/// Returns the document with one more field at the end; `field` is the bytes of the added field.
pub(crate) fn with_bytes(document: &RawDocument, field: &[u8]) -> Option<RawDocumentBuf> {
    let (_, inner) = document.as_bytes().split_first_chunk::<4>()?;
    let (end, inner) = inner.split_last()?;
    let length = i32::try_from(document.as_bytes().len() + field.len()).ok()?;
    let bytes = [&length.to_le_bytes()[..], inner, field, &[*end]].concat();
    RawDocumentBuf::from_bytes(bytes).ok()
}

/// A value with the same number of bytes for every content.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fixed {
    Date(DateTime),
    /// An integer, stored as `int` or `long`: the type of the stored value stays.
    Integer(i64),
}

/// Returns the document with the value in the place of the stored value of the field; `None` when the stored value has
/// a different type, or is too small for the value.
pub(crate) fn overwrite(document: RawDocumentBuf, name: &str, value: Fixed) -> Option<RawDocumentBuf> {
    // A document begins with the length of the document; an element is the type, the name, a zero and the value.
    let mut at = 4;
    let mut found = None;
    for element in elements(&document) {
        at += 1 + element.name().len() + 1;
        if element.name() == name {
            found = element.value();
            break;
        }
        at += element.size();
    }
    let long;
    let int;
    let bytes: &[u8] = match (found?, value) {
        (RawBsonRef::DateTime(_), Fixed::Date(date)) => {
            long = date.timestamp_millis().to_le_bytes();
            &long
        }
        (RawBsonRef::Int64(_), Fixed::Integer(number)) => {
            long = number.to_le_bytes();
            &long
        }
        (RawBsonRef::Int32(_), Fixed::Integer(number)) => {
            int = i32::try_from(number).ok()?.to_le_bytes();
            &int
        }
        _ => return None,
    };
    let mut written = document.into_bytes();
    written.get_mut(at..at + bytes.len())?.copy_from_slice(bytes);
    RawDocumentBuf::from_bytes(written).ok()
}

/// Returns the whole number in a field.
pub(crate) fn integer(document: &RawDocument, name: &str) -> Option<i64> {
    match document.get(name).ok()?? {
        RawBsonRef::Int32(number) => Some(number.into()),
        RawBsonRef::Int64(number) => Some(number),
        _ => None,
    }
}

/// Returns the place where decoding fails in a document, as MongoDB writes a path (`addresses.1.city`). Slow: for a
/// document that [`decode`] refused with this error.
pub(crate) fn locate_failure<T: DeserializeOwned>(raw: &RawDocument, error: &DecodeError) -> String {
    failure::locate(raw, &error.to_string(), &|raw| decode::<T>(raw).err().map(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{Bson, DateTime, Document, doc, oid::ObjectId};

    use super::{Fixed, bytes_of, encode, integer, overwrite, with_bytes, without_field};

    fn every_type() -> Document {
        doc! {
            "_id": ObjectId::from_bytes([7; 12]),
            "text": "é date",
            "double": 1.5,
            "list": [1, "two", { "date": 3 }],
            "inner": { "date": 1, "long": 2_i64 },
            "none": Bson::Null,
            "yes": true,
            "bytes": mongodb::bson::Binary { subtype: mongodb::bson::spec::BinarySubtype::Generic, bytes: vec![1, 2, 3] },
            "date": DateTime::from_millis(1),
            "": 9,
            "int": 4,
            "long": 5_i64,
            "last": "x",
        }
    }

    #[test]
    fn a_value_is_overwritten_in_its_place() {
        for (name, value, expected) in [
            ("date", Fixed::Date(DateTime::MAX), Bson::DateTime(DateTime::MAX)),
            ("int", Fixed::Integer(i32::MIN.into()), Bson::Int32(i32::MIN)),
            ("long", Fixed::Integer(i64::MAX), Bson::Int64(i64::MAX)),
            ("", Fixed::Integer(1), Bson::Int32(1)),
        ] {
            let written = overwrite(encode(&every_type()).unwrap(), name, value).unwrap();
            let mut document = every_type();
            document.insert(name, expected);
            assert_eq!(written, encode(&document).unwrap(), "{name}");
        }
    }

    #[test]
    fn what_has_another_type_is_not_overwritten() {
        for (name, value) in [
            ("absent", Fixed::Integer(1)),
            ("text", Fixed::Integer(1)),
            ("date", Fixed::Integer(1)),
            ("long", Fixed::Date(DateTime::MAX)),
            ("int", Fixed::Integer(i64::from(i32::MAX) + 1)),
        ] {
            assert_eq!(overwrite(encode(&every_type()).unwrap(), name, value), None, "{name}");
        }
    }

    #[test]
    fn a_field_is_put_at_the_end_of_another_document() {
        let (from, to) = (encode(&every_type()).unwrap(), encode(&doc! { "a": 1 }).unwrap());
        for name in every_type().keys() {
            let put = with_bytes(&to, bytes_of(&from, name).unwrap()).unwrap();
            let mut expected = doc! { "a": 1 };
            expected.insert(name, every_type().get(name).unwrap());
            assert_eq!(put, encode(&expected).unwrap(), "{name}");
        }
        assert_eq!(bytes_of(&from, "absent"), None);
    }

    #[test]
    fn a_document_loses_one_field() {
        for name in every_type().keys() {
            let mut expected = every_type();
            expected.remove(name);
            assert_eq!(without_field(&encode(&every_type()).unwrap(), name), encode(&expected).unwrap(), "{name}");
        }
        let whole = encode(&every_type()).unwrap();
        assert_eq!(without_field(&whole, "absent"), whole);
    }

    #[test]
    fn a_whole_number_is_read_from_both_types() {
        let document = encode(&every_type()).unwrap();
        assert_eq!([integer(&document, "int"), integer(&document, "long")], [Some(4), Some(5)]);
        assert_eq!([integer(&document, "double"), integer(&document, "absent")], [None, None]);
    }
}
