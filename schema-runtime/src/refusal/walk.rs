//! The elements of a BSON document, read straight from the bytes. The iterator of the bson crate parses and validates
//! each value, at eight times the cost of this walk. The walk only steps over the values.
//!
//! Source: bsonspec.org, version 1.1.

use crate::definition::Literal;

/// One element: the type, the name and the bytes of the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Element<'a> {
    pub(super) kind: u8,
    pub(super) name: &'a [u8],
    pub(super) value: &'a [u8],
}

pub(super) const STRING: u8 = 0x02;
pub(super) const DOCUMENT: u8 = 0x03;
pub(super) const ARRAY: u8 = 0x04;
pub(super) const NULL: u8 = 0x0A;

/// Returns the elements of a document or an array, in order. The iterator ends where the bytes are not BSON.
pub(super) fn elements(document: &[u8]) -> Elements<'_> {
    Elements { rest: document.get(4..).unwrap_or_default() }
}

pub(super) struct Elements<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        let (&kind, after) = self.rest.split_first()?;
        let (name, after) = after.split_at_checked(zero(after)?)?;
        let after = after.get(1..)?;
        let (value, rest) = after.split_at_checked(size(kind, after)?)?;
        self.rest = rest;
        Some(Element { kind, name, value })
    }
}

impl<'a> Element<'a> {
    /// Returns the text of a string, without the length and the final zero.
    pub(super) fn text(&self) -> &'a [u8] {
        self.value.get(4..self.value.len().saturating_sub(1)).unwrap_or_default()
    }

    /// Returns the number; `None` for a value of another type. A decimal is no number of a rule.
    pub(super) fn number(&self) -> Option<Literal> {
        Some(match self.kind {
            0x01 => Literal::Double(f64::from_le_bytes(*self.value.first_chunk()?)),
            0x10 => Literal::Integer(i32::from_le_bytes(*self.value.first_chunk()?).into()),
            0x12 => Literal::Integer(i64::from_le_bytes(*self.value.first_chunk()?)),
            _ => return None,
        })
    }
}

/// Returns the number of bytes of the value of this type that begins here; `None` at the end of a document, where the
/// type is 0.
fn size(kind: u8, value: &[u8]) -> Option<usize> {
    Some(match kind {
        // double, UTC datetime, timestamp, int64
        0x01 | 0x09 | 0x11 | 0x12 => 8,
        // string, code, symbol
        STRING | 0x0D | 0x0E => length(value)?.checked_add(4)?,
        // document, array, code with scope: the length includes the bytes of the length
        DOCUMENT | ARRAY | 0x0F => length(value)?,
        // binary
        0x05 => length(value)?.checked_add(5)?,
        // undefined, null, min key, max key
        0x06 | NULL | 0xFF | 0x7F => 0,
        // ObjectId
        0x07 => 12,
        // bool
        0x08 => 1,
        // regular expression: two texts, each with a final zero
        0x0B => {
            let pattern = zero(value)? + 1;
            pattern + zero(value.get(pattern..)?)? + 1
        }
        // DBPointer: a string and 12 bytes
        0x0C => length(value)?.checked_add(16)?,
        // int32
        0x10 => 4,
        // decimal128
        0x13 => 16,
        _ => return None,
    })
}

fn length(value: &[u8]) -> Option<usize> {
    usize::try_from(i32::from_le_bytes(*value.first_chunk()?)).ok()
}

fn zero(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == 0)
}
