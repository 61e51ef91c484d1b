//! A place between two pages, as a text that a client may keep.

use std::{fmt, str::FromStr};

use mongodb::bson::{Bson, Document, RawDocument, doc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::build::Order;
use crate::{
    codec,
    error::{Error, Result},
};

/// Where a page ended: opaque, and good after a restart. It holds the last child's values in the order, which are not
/// secret: who gets the page can see them.
///
/// As a text (`Display`, `FromStr`, serde) it is hexadecimal digits. A text that is damaged is refused when it is parsed,
/// and a cursor of another parent, relation or order when it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Cursor {
    /// Which query it belongs to.
    query: u64,
    /// One value for each key of the order.
    values: Vec<Bson>,
}

impl Cursor {
    /// The place after `last`.
    pub(crate) fn after(query: u64, order: &Order, last: &RawDocument) -> Result<Self> {
        let value = |name| -> Result<Bson> {
            let value = last.get(name).map_err(|_| Error::Cursor { reason: "its document is not valid BSON" })?;
            let value = value.map(Bson::try_from).transpose();
            let value = value.map_err(|_| Error::Cursor { reason: "its document is not valid BSON" })?;
            // The sort takes an absent field for null.
            Ok(value.filter(|value| *value != Bson::Undefined).unwrap_or(Bson::Null))
        };
        let values = order.names().map(value).collect::<Result<Vec<_>>>()?;
        Ok(Cursor { query, values })
    }

    /// The values, if this is a cursor of that query.
    pub(crate) fn values(&self, query: u64, order: &Order) -> Result<&[Bson]> {
        if self.query != query || self.values.len() != order.keys.len() {
            return Err(Error::Cursor { reason: "it belongs to another parent, relation or order" });
        }
        Ok(&self.values)
    }
}

/// What a cursor of one query is known by, the same in every build: the parts are hashed one after another.
pub(crate) fn fingerprint<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    // FNV-1a, 64 bits; a part is ended by its length, so that ("ab", "c") and ("a", "bc") differ.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.iter().chain(&(part.len() as u64).to_le_bytes()) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let document = doc! { "q": self.query as i64, "k": &self.values };
        let body = codec::encode(&document).map_err(|_| fmt::Error)?;
        let body = body.as_bytes();
        for byte in fingerprint([body]).to_le_bytes().iter().chain(body) {
            write!(formatter, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        parse(text).ok_or(Error::Cursor { reason: "it is damaged" })
    }
}

/// A cursor from its text, if that is whole.
fn parse(text: &str) -> Option<Cursor> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| (byte as char).to_digit(16);
    let bytes = digits.chunks_exact(2).map(|pair| Some((digit(pair[0])? * 16 + digit(pair[1])?) as u8));
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let (check, body) = bytes.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*check) != fingerprint([body]) {
        return None;
    }
    let document = Document::try_from(RawDocument::from_bytes(body).ok()?).ok()?;
    let query = document.get_i64("q").ok()? as u64;
    let values = document.get_array("k").ok()?.clone();
    let comparable = |value: &Bson| !matches!(value, Bson::Array(_) | Bson::Undefined);
    values.iter().all(comparable).then_some(Cursor { query, values })
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{DateTime, oid::ObjectId};

    use super::*;

    fn cursor() -> Cursor {
        Cursor {
            query: u64::MAX - 7,
            values: vec![DateTime::from_millis(5).into(), ObjectId::from_bytes([7; 12]).into()],
        }
    }

    #[test]
    fn as_text_and_back() {
        let text = cursor().to_string();
        assert_eq!(text.parse::<Cursor>().unwrap(), cursor());
    }

    #[test]
    fn every_damaged_text_is_refused() {
        let text = cursor().to_string();
        for at in 0..text.len() {
            for digit in ["0", "7", "f", "g", "é"] {
                let damaged = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
                if damaged != text {
                    let error = damaged.parse::<Cursor>().unwrap_err();
                    assert!(matches!(error, Error::Cursor { .. }), "{damaged}");
                }
            }
            assert!(text[..at].parse::<Cursor>().is_err());
        }
        assert!((text + "00").parse::<Cursor>().is_err());
    }

    #[test]
    fn one_of_another_query_is_refused() {
        let order = Order { keys: vec![("time", true), ("_id", true)] };
        assert!(cursor().values(u64::MAX - 7, &order).is_ok());
        assert!(cursor().values(3, &order).is_err());
        assert_ne!(fingerprint([&b"ab"[..], b"c"]), fingerprint([&b"a"[..], b"bc"]));
    }

    #[test]
    fn the_fingerprint_is_the_same_in_every_build() {
        assert_eq!(fingerprint([]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint([&b"logmsg"[..]]), fingerprint([&b"logmsg"[..]]));
    }
}
