//! The document inside the error of a completed write.

use std::fmt;

use mongodb::bson::{RawDocument, RawDocumentBuf};

/// The document that the call would have returned, in an error after a completed write.
/// [`Error::document`](crate::Error::document) returns the document as a struct. `Debug` tells the size, and no value.
#[derive(Clone, Default, PartialEq)]
pub struct StoredDocument(Option<Box<RawDocumentBuf>>);

impl StoredDocument {
    pub(super) fn of(document: Option<&RawDocument>) -> Self {
        StoredDocument(document.map(|document| Box::new(document.to_owned())))
    }

    /// Returns the document as BSON; `None` where the call returns no document.
    pub fn raw(&self) -> Option<&RawDocument> {
        self.0.as_deref().map(AsRef::as_ref)
    }
}

impl fmt::Debug for StoredDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.raw() {
            Some(document) => write!(formatter, "a document of {} bytes", document.as_bytes().len()),
            None => formatter.write_str("no document"),
        }
    }
}
