//! What is known of an error: what it says of the write that it is of.

mod carried;
mod kind;

use std::fmt;

use mongodb::bson::Bson;

use super::{Error, ExceededBound, Limit, TreeError, code};
use crate::definition::ModelDefinition;

pub use kind::ErrorKind;

/// The result of an operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn not_found(definition: &ModelDefinition) -> Error {
        Error::NotFound { model: definition.model, collection: definition.collection }
    }

    /// A document of the model refers by this field to what is not there.
    pub(crate) fn dangling(
        (model, field): (&'static str, impl Into<String>),
        collection: &'static str,
        id: Bson,
        holder: Bson,
    ) -> Error {
        let field = field.into();
        let relation = format!("{model}.{field}");
        Error::DanglingReference { relation, model, field, collection, id: Box::new(id), holder: Box::new(holder) }
    }

    /// Values of a document that are larger than their bounds; `None` where none is.
    pub(crate) fn bounds_exceeded(model: &str, exceeded: Vec<ExceededBound>) -> Option<Error> {
        let mut exceeded = exceeded.into_iter();
        let ExceededBound { field, bound, size, unit } = exceeded.next()?;
        Some(Error::BoundExceeded { model: model.to_owned(), field, bound, size, unit, others: exceeded.collect() })
    }

    /// What went wrong with the one document, where many were to be written; otherwise the error itself.
    pub fn cause(&self) -> &Error {
        match self {
            Error::InsertMany { source, .. } | Error::Bulk { source, .. } => source.cause(),
            other => other,
        }
    }

    /// Whether the server refused one document for what it would be.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Error::DocumentInvalid { .. }
            | Error::BoundExceeded { .. }
            | Error::DuplicateKey { .. }
            | Error::DocumentTooLarge { .. } => true,
            // For any other reason, as that it would be larger than 16 MiB.
            Error::Driver(error) => code::is_refusal(error),
            _ => false,
        }
    }

    /// Whether a write that has a transaction of its own has written nothing, for certain.
    pub(crate) fn writes_nothing(&self) -> bool {
        match self {
            Error::DanglingReference { .. }
            | Error::DeleteRestricted { .. }
            | Error::MirrorWritten { .. }
            | Error::Update { .. } => true,
            Error::Tree(error) => !matches!(error, TreeError::MovePending { .. }),
            // One step of several: those before it stay.
            Error::Bucket(_) => false,
            Error::InsertMany { source, .. } => source.writes_nothing(),
            error => error.is_refusal(),
        }
    }

    /// Whether the server is done with a command that failed. After a connection that was lost it may still be at work.
    pub(crate) fn is_answered(&self) -> bool {
        match self {
            Error::Connection { .. } | Error::TimedOut { limit: Limit::Network } => false,
            Error::Driver(error) => code::server_code(error).is_some(),
            Error::InsertMany { source, .. } => source.is_answered(),
            _ => true,
        }
    }

    /// Whether the write is done, or the part of it that was sent, and what follows it is not.
    pub(crate) fn is_pending(&self) -> bool {
        match self {
            Error::CopiesPending { .. } | Error::Tree(TreeError::MovePending { .. }) => true,
            Error::InsertMany { source, .. } => source.is_pending(),
            _ => false,
        }
    }

    /// Why an insert of many documents stopped.
    pub(crate) fn into_source(self) -> Self {
        match self {
            Error::InsertMany { source, .. } => *source,
            error => error,
        }
    }

    /// Whether a write would have stored a second document with an `_id`.
    pub(crate) fn is_duplicate_id(&self) -> bool {
        matches!(self, Error::DuplicateKey { index, .. } if index == "_id_")
    }

    pub(crate) fn encode(error: impl fmt::Display) -> Self {
        Error::Encode { message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    /// Clippy's `result_large_err` warns from 128 bytes on.
    #[test]
    fn it_goes_everywhere_and_is_small() {
        fn goes_everywhere<T: Send + Sync + 'static>() {}
        goes_everywhere::<Error>();
        assert!(size_of::<Error>() <= 104, "{}", size_of::<Error>());
    }
}
