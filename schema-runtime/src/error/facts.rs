//! Facts about an error: makes errors, and tells whether a write is done, refused or pending.

mod carried;
mod kind;

use std::fmt;

use mongodb::bson::Bson;

use super::{Error, ExceededBound, Fault, Limit, TreeError, code, text::STORED_FORM};
use crate::definition::ModelDefinition;

pub use kind::ErrorKind;

/// The result of an operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn not_found(definition: &ModelDefinition) -> Error {
        Error::NotFound { model: definition.model, collection: definition.collection }
    }

    /// Makes the error of a reference to a missing document: the model, the field, and the document that holds the
    /// reference.
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

    /// Makes the error for the values of a document that are larger than the declared bounds; `None` when the list is
    /// empty.
    fn bounds_exceeded(model: &str, exceeded: Vec<ExceededBound>) -> Option<Error> {
        let mut exceeded = exceeded.into_iter();
        let ExceededBound { field, bound, size, unit } = exceeded.next()?;
        Some(Error::BoundExceeded { model: model.to_owned(), field, bound, size, unit, others: exceeded.collect() })
    }

    /// Makes the error for the faults of a document; `None` when the list is empty. Exceeded bounds alone are
    /// [`Error::BoundExceeded`].
    pub(crate) fn of_faults(model: &ModelDefinition, faults: Vec<Fault>) -> Option<Error> {
        if faults.iter().any(|fault| matches!(fault, Fault::Rule(_))) {
            let failures = faults.into_iter().map(Fault::into_rule).collect();
            return Some(Error::DocumentInvalid { collection: model.collection.to_owned(), failures });
        }
        let bound = |fault| match fault {
            Fault::Bound(exceeded) => Some(exceeded),
            Fault::Rule(_) => None,
        };
        Error::bounds_exceeded(model.model, faults.into_iter().filter_map(bound).collect())
    }

    /// Returns the cause of the one document's failure in a write of many documents; otherwise returns the error
    /// itself.
    pub fn cause(&self) -> &Error {
        match self {
            Error::InsertMany { source, .. } | Error::Bulk { source, .. } => source.cause(),
            other => other,
        }
    }

    /// Returns whether the server refused one document because of the document's content.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Error::DocumentInvalid { .. }
            | Error::BoundExceeded { .. }
            | Error::DuplicateKey { .. }
            | Error::DocumentTooLarge { .. } => true,
            // For any other reason, for example a document larger than 16 MiB.
            Error::Driver(error) => code::is_refusal(error),
            _ => false,
        }
    }

    /// Returns whether a write with a transaction of its own has certainly written nothing.
    pub(crate) fn writes_nothing(&self) -> bool {
        match self {
            Error::DanglingReference { .. }
            | Error::DeleteRestricted { .. }
            | Error::MirrorWritten { .. }
            | Error::ImmutableField { .. }
            | Error::Update { .. } => true,
            Error::Tree(error) => !matches!(error, TreeError::MovePending { .. }),
            // The error of one step of several: the earlier steps stay.
            Error::Bucket(_) => false,
            Error::InsertMany { source, .. } => source.writes_nothing(),
            error => error.is_refusal(),
        }
    }

    /// Returns whether the server is done with a command that failed. After a lost connection the server may still work
    /// on the command.
    pub(crate) fn is_answered(&self) -> bool {
        match self {
            Error::Connection { .. } | Error::TimedOut { limit: Limit::Network } => false,
            Error::Driver(error) => code::server_code(error).is_some(),
            Error::InsertMany { source, .. } => source.is_answered(),
            _ => true,
        }
    }

    /// Returns whether the write, or the sent part of the write, is done and the work after the write is not.
    pub(crate) fn is_pending(&self) -> bool {
        match self {
            Error::CopiesPending { .. } | Error::Tree(TreeError::MovePending { .. }) => true,
            Error::InsertMany { source, .. } => source.is_pending(),
            _ => false,
        }
    }

    /// Returns the cause of a stopped insert of many documents; otherwise returns the error itself.
    pub(crate) fn into_source(self) -> Self {
        match self {
            Error::InsertMany { source, .. } => *source,
            error => error,
        }
    }

    /// Returns whether a write would have stored a second document with an `_id`.
    pub(crate) fn is_duplicate_id(&self) -> bool {
        matches!(self, Error::DuplicateKey { index, .. } if index == "_id_")
    }

    /// Returns the message about a value that has no stored form, or about a stored value that a type of another crate
    /// cannot hold.
    pub(crate) fn message_of_form(reason: &'static str) -> String {
        format!("{STORED_FORM}{reason}")
    }

    pub(crate) fn encode(error: impl fmt::Display) -> Self {
        Error::Encode { field: String::new(), message: error.to_string() }
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
