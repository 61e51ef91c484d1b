//! The functions of users that judge values (`#[check(with = is_code)]`): a value is read as the type of the function's
//! argument, and the function is asked.

use std::borrow::Borrow;

use mongodb::bson::{Document, RawDocument, RawDocumentBuf};
use serde::de::DeserializeOwned;

use super::walk::Element;
use crate::{
    codec,
    definition::{JUDGED, Judge, Shape},
    field::readable,
};

/// A function that judges a value of the type `T`. `By` is the form of the function's argument.
#[diagnostic::on_unimplemented(
    message = "this function does not judge a value of the type `{T}`",
    label = "`with` asks a function about each value of the type `{T}`",
    note = "help: write `fn name(value: &{T}) -> Result<(), &'static str>`; the argument of a `String` may be a `&str`",
    note = "rule: check_type (guide/pages/rules/check_type.md)"
)]
pub trait Judges<T, By> {
    /// Returns the text of a refusal.
    fn refuse(&self, value: &T) -> Option<&'static str>;

    /// Asks the function about the value in a document. A value that serde does not read as the type is left to the
    /// validator.
    fn ask(&self, document: &RawDocument) -> Option<&'static str>
    where
        T: DeserializeOwned,
    {
        self.refuse(&codec::decode_only(document)?)
    }
}

/// The argument is a reference to the type.
pub struct ByReference;

/// The argument is a `&str`.
pub struct ByText;

#[diagnostic::do_not_recommend]
impl<T, F: Fn(&T) -> Result<(), &'static str>> Judges<T, ByReference> for F {
    fn refuse(&self, value: &T) -> Option<&'static str> {
        self(value).err()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Borrow<str>, F: Fn(&str) -> Result<(), &'static str>> Judges<T, ByText> for F {
    fn refuse(&self, value: &T) -> Option<&'static str> {
        self(value.borrow()).err()
    }
}

/// Returns the text of a refusal of a stored value of this shape.
pub(super) fn refusal_of(judge: &Judge, shape: &Shape, element: &Element<'_>) -> Option<&'static str> {
    let document = document_of(element)?;
    if !shape.holds_forms() {
        return (judge.ask)(&document);
    }
    // The type is read from the form that serde writes.
    let value = Document::try_from(&*document).ok()?.remove(JUDGED)?;
    let value = readable(Some(shape), value).ok()?;
    (judge.ask)(&codec::encode(&Document::from_iter([(JUDGED.to_owned(), value)])).ok()?)
}

/// Returns the document whose field [`JUDGED`] holds the value.
fn document_of(element: &Element<'_>) -> Option<RawDocumentBuf> {
    let mut bytes = Vec::with_capacity(element.value.len() + JUDGED.len() + 7);
    bytes.extend([0; 4]);
    bytes.push(element.kind);
    bytes.extend(JUDGED.as_bytes());
    bytes.push(0);
    bytes.extend(element.value);
    bytes.push(0);
    let length = i32::try_from(bytes.len()).ok()?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    RawDocumentBuf::from_bytes(bytes).ok()
}
