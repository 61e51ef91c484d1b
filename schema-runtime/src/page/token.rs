//! A place between two pages, as a text that a client may keep. A text from a client may be damaged, forged or huge.

use std::{fmt, str::FromStr};

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Order;
use crate::{
    codec,
    error::{Error, Result},
    read::Query,
};

/// The place of a document in the order of a query: opaque, and good after a restart. A token holds the document's
/// values in the order. The values are not secret: a client with the page can see the values. A token is not signed: a
/// forged token chooses a different place in the same query, and any content of a forged value is compared as a value.
///
/// As a text (`Display`, `FromStr`, serde) a token is hexadecimal digits. A damaged text is refused by the parser, and
/// a token of another model, filter, parent, order or collation is refused when the token is used. A different
/// projection or page size is the same query.
#[derive(Clone, Debug, PartialEq)]
pub struct PageToken {
    /// The id of the query of the token.
    query: u64,
    /// One value for each key of the order.
    values: Vec<Bson>,
}

/// The most bytes of the values of a token: a command of 16 MiB holds each value once for each key of the order.
const LARGEST: usize = 256 * 1024;

/// The most levels of documents in a value, as the server allows in a stored document.
/// <https://www.mongodb.com/docs/manual/reference/limits/>
const DEEPEST: u32 = 100;

impl PageToken {
    /// Returns the place of a document.
    pub(crate) fn of(query: u64, order: &Order, document: &RawDocument) -> Result<Self> {
        Self::at(query, order.paths().map(|path| value_at(document, path)).collect::<Result<Vec<_>>>()?)
    }

    /// Returns the place with these values.
    pub(crate) fn at(query: u64, values: Vec<Bson>) -> Result<Self> {
        let token = PageToken { query, values };
        if token.body()?.len() > LARGEST {
            return Err(Error::PageToken { reason: "the values of the order take more than 256 KiB" });
        }
        Ok(token)
    }

    /// Returns the values, if the token belongs to the query.
    pub(crate) fn values(&self, query: u64, order: &Order) -> Result<&[Bson]> {
        if self.query != query || self.values.len() != order.keys.len() {
            return Err(Error::PageToken {
                reason: "the token belongs to another query: another model, filter, parent, order or collation",
            });
        }
        Ok(&self.values)
    }

    fn body(&self) -> Result<Vec<u8>> {
        let document = doc! { "q": self.query as i64, "k": &self.values };
        Ok(codec::encode(&document).map_err(Error::encode)?.as_bytes().to_vec())
    }
}

/// Returns the value by which a sort places a document; an absent field counts as null.
fn value_at(document: &RawDocument, path: &str) -> Result<Bson> {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let invalid = || Error::PageToken { reason: "the document is not valid BSON" };
    match (document.get(name).map_err(|_| invalid())?, rest) {
        (Some(RawBsonRef::Array(_)), _) => {
            Err(Error::PageToken { reason: "the document holds an array where the order needs a single value" })
        }
        (Some(RawBsonRef::Document(inner)), Some(rest)) => value_at(inner, rest),
        (None | Some(RawBsonRef::Undefined), _) | (_, Some(_)) => Ok(Bson::Null),
        (Some(value), None) => Bson::try_from(value).map_err(|_| invalid()),
    }
}

/// Returns the id of a query in tokens: a hash of the collection, the filter, the order and the collation.
pub(crate) fn query_id(query: &Query, order: &Order) -> Result<u64> {
    let filter = codec::encode(&query.filter).map_err(Error::encode)?;
    let order = codec::encode(&order.sort()).map_err(Error::encode)?;
    let stages = query.over.iter().chain(&query.related);
    let over = stages.map(codec::encode).collect::<Result<Vec<_>, _>>().map_err(Error::encode)?;
    let collation = query.collation_of_page().map(|collation| codec::encode(&collation));
    let collation = collation.transpose().map_err(Error::encode)?;
    let parts = [query.collection.as_bytes(), filter.as_bytes(), order.as_bytes()];
    let stages = over.iter().chain(&collation).map(|stage| stage.as_bytes());
    Ok(fingerprint(parts.into_iter().chain(stages)))
}

/// Returns a number for these parts, the same in every build: the parts are hashed in sequence.
fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    // FNV-1a, 64 bits; each part ends with the length of the part, so that ("ab", "c") and ("a", "bc") differ.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.iter().chain(&(part.len() as u64).to_le_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

impl fmt::Display for PageToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.body().map_err(|_| fmt::Error)?;
        for byte in fingerprint([body.as_slice()]).to_le_bytes().iter().chain(&body) {
            write!(formatter, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl FromStr for PageToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        parse(text).ok_or(Error::PageToken { reason: "it is damaged" })
    }
}

/// Parses a token from a text; `None` when the text is damaged.
fn parse(text: &str) -> Option<PageToken> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) || digits.len() > 2 * (LARGEST + size_of::<u64>()) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16);
    let bytes = digits.chunks_exact(2).map(|pair| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8));
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let (check, body) = bytes.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*check) != fingerprint([body]) {
        return None;
    }
    let document = RawDocument::from_bytes(body).ok()?;
    if !is_at_most_deep(document, DEEPEST) {
        return None;
    }
    let document = Document::try_from(document).ok()?;
    let query = document.get_i64("q").ok()? as u64;
    let values = document.get_array("k").ok()?.clone();
    let comparable = |value: &Bson| !matches!(value, Bson::Array(_) | Bson::Undefined);
    values.iter().all(comparable).then_some(PageToken { query, values })
}

/// Returns whether documents lie at most `levels` deep in the document: a read of deeper documents would overflow the
/// thread's stack.
fn is_at_most_deep(document: &RawDocument, levels: u32) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    document.iter().all(|element| match element.map(|(_, value)| value) {
        Ok(RawBsonRef::Document(inner)) => is_at_most_deep(inner, levels),
        Ok(RawBsonRef::Array(inner)) => codec::as_document(inner).is_some_and(|inner| is_at_most_deep(inner, levels)),
        Ok(RawBsonRef::JavaScriptCodeWithScope(_)) | Err(_) => false,
        Ok(_) => true,
    })
}

impl Serialize for PageToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PageToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{DateTime, oid::ObjectId};

    use super::*;

    fn token() -> PageToken {
        PageToken {
            query: u64::MAX - 7,
            values: vec![DateTime::from_millis(5).into(), ObjectId::from_bytes([7; 12]).into()],
        }
    }

    #[test]
    fn as_text_and_back() {
        let text = token().to_string();
        assert_eq!(text.parse::<PageToken>().unwrap(), token());
    }

    #[test]
    fn every_damaged_text_is_refused() {
        let text = token().to_string();
        for at in 0..text.len() {
            for digit in ["0", "7", "f", "g", "é"] {
                let damaged = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
                if damaged != text {
                    let error = damaged.parse::<PageToken>().unwrap_err();
                    assert!(matches!(error, Error::PageToken { .. }), "{damaged}");
                }
            }
            assert!(text[..at].parse::<PageToken>().is_err());
        }
        assert!((text + "00").parse::<PageToken>().is_err());
    }

    #[test]
    fn one_of_another_query_is_refused() {
        let order = Order { keys: vec![("time".to_owned(), true), ("_id".to_owned(), true)] };
        assert!(token().values(u64::MAX - 7, &order).is_ok());
        assert!(token().values(3, &order).is_err());
        let query = Query::new("people", doc! { "a": 1 });
        let known = query_id(&query, &order).unwrap();
        let other = [
            query_id(&Query::new("posts", doc! { "a": 1 }), &order),
            query_id(&Query::new("people", doc! { "a": 2 }), &order),
            query_id(&Query::new("people", doc! { "a": 1_i64 }), &order),
            query_id(&query, &order.reversed()),
        ];
        assert!(other.into_iter().all(|other| other.unwrap() != known));
        let other = Query { projection: doc! { "a": 1 }, limit: 3, ..query };
        assert_eq!(query_id(&other, &order).unwrap(), known);
    }

    #[test]
    fn the_fingerprint_is_the_same_in_every_build() {
        assert_eq!(fingerprint([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint([&b"logmsg"[..], b"a"]), 0x0348_9638_129b_34d2);
        assert_ne!(fingerprint([&b"ab"[..], b"c"]), fingerprint([&b"a"[..], b"bc"]));
    }

    /// Returns the text of a forged token.
    fn forged(document: &Document) -> String {
        forged_of(codec::encode(document).unwrap().as_bytes())
    }

    fn forged_of(body: &[u8]) -> String {
        let bytes = fingerprint([body]).to_le_bytes();
        bytes.iter().chain(body).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the bytes of a document with one field `0` of this BSON type.
    fn around(kind: u8, inner: &[u8]) -> Vec<u8> {
        let size = (inner.len() + 8) as i32;
        [&size.to_le_bytes()[..], &[kind, b'0', 0], inner, &[0]].concat()
    }

    /// Returns the bytes of a token's body with a value of `levels` levels of documents.
    fn nested(levels: usize) -> Vec<u8> {
        let empty = vec![5, 0, 0, 0, 0];
        let value = (1..levels).fold(empty, |inner, _| around(3, &inner));
        let mut body = codec::encode(&doc! { "q": 1_i64 }).unwrap().as_bytes().to_vec();
        body.pop();
        body.extend([4, b'k', 0]);
        body.extend(around(3, &value));
        body.push(0);
        let size = (body.len() as i32).to_le_bytes();
        body[..4].copy_from_slice(&size);
        body
    }

    #[test]
    fn a_forged_text_is_refused_or_a_place() {
        assert!(
            forged(&doc! { "q": 1_i64, "k": [{ "$gt": "" }] }).parse::<PageToken>().is_ok(),
            "a document is a value, too"
        );
        for refused in [
            doc! {},
            doc! { "q": 1_i64 },
            doc! { "q": "1", "k": [] },
            doc! { "q": 1_i64, "k": { "a": 1 } },
            doc! { "q": 1_i64, "k": [[1]] },
            doc! { "q": 1_i64, "k": [Bson::Undefined] },
            doc! { "q": 1_i64, "k": ["x".repeat(LARGEST)] },
        ] {
            assert!(forged(&refused).parse::<PageToken>().is_err(), "{refused}");
        }
        assert!("00".repeat(50_000_000).parse::<PageToken>().is_err());
    }

    #[test]
    fn a_deep_text_is_refused_before_it_is_read() {
        assert!(forged_of(&nested(98)).parse::<PageToken>().is_ok());
        for levels in [99, 1_000, 20_000] {
            assert!(forged_of(&nested(levels)).parse::<PageToken>().is_err());
        }
    }

    #[test]
    fn a_place_of_a_nested_path() {
        let order = |path: &str| Order { keys: vec![(path.to_owned(), false)] };
        let place = |document: Document, path| {
            let raw = codec::encode(&document).unwrap();
            PageToken::of(1, &order(path), &raw).map(|token| token.values)
        };
        assert_eq!(place(doc! { "a": { "b": 3 } }, "a.b").unwrap(), [Bson::Int32(3)]);
        for absent in [doc! {}, doc! { "a": {} }, doc! { "a": 3 }, doc! { "a": Bson::Null }] {
            assert_eq!(place(absent, "a.b").unwrap(), [Bson::Null]);
        }
        for array in [doc! { "a": [{ "b": 3 }] }, doc! { "a": { "b": [3] } }] {
            assert!(matches!(place(array, "a.b"), Err(Error::PageToken { .. })));
        }
        let huge = place(doc! { "a": "x".repeat(LARGEST) }, "a").unwrap_err();
        assert!(huge.to_string().contains("256 KiB"));
    }
}
