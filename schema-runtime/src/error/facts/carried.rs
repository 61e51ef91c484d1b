//! The document inside the error of a completed write.

use mongodb::bson::RawDocument;

use crate::error::{Error, StoredDocument, TreeError};

impl Error {
    /// Returns the document that the call would have returned, as BSON, when the write is done.
    pub(crate) fn stored_document(&self) -> Option<&RawDocument> {
        match self {
            Error::CopiesPending { document, .. } | Error::Tree(TreeError::MovePending { document, .. }) => {
                document.raw()
            }
            _ => None,
        }
    }

    /// Puts the document that the call would have returned into the error of a completed write. Any other error stays
    /// the same.
    pub(crate) fn with_document(mut self, stored: Option<&RawDocument>) -> Self {
        if let Error::CopiesPending { document, .. } | Error::Tree(TreeError::MovePending { document, .. }) = &mut self
        {
            *document = StoredDocument::of(stored);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::rawdoc;

    use super::*;

    #[test]
    fn a_document_is_carried_and_not_shown() {
        let stored = rawdoc! { "_id": 1, "password": "secret" };
        let (document, source) = (StoredDocument::default(), Box::new(Error::NotReplicaSet));
        let pending = [
            Error::CopiesPending { collection: "users", document: document.clone(), source: source.clone() },
            Error::Tree(TreeError::MovePending { collection: "users", document, source }),
        ];
        for error in pending {
            assert_eq!(error.stored_document(), None);
            assert!(format!("{error:?}").contains("no document"), "{error:?}");
            let error = error.with_document(Some(&stored));
            assert_eq!(error.stored_document(), Some(&*stored));
            let texts = format!("{error:?} {error:#?} {error}");
            assert!(texts.contains("a document of") && !texts.contains("secret"), "{texts}");
        }
        assert_eq!(Error::WriteConflict.with_document(Some(&stored)).stored_document(), None);
    }
}
