//! Maps errors of the driver and the server to errors of this crate, in one place. The texts made here hold names and
//! numbers, never a document's values.

mod duplicate;

use duplicate::duplicate;
pub(crate) use duplicate::{fields_of, is_hidden, key_in};
use mongodb::{
    bson::Document,
    error::{Error as DriverError, ErrorKind, IndexedWriteError, WriteFailure},
};

use super::{
    Error, Limit,
    cause::{AfterTheEnd, Held, Overtime},
    code, validation,
};
use crate::{definition::ModelDefinition, limits::DOCUMENT_BYTES};

/// Maps the errors of every operation. The functions `write` and `write_many`, which know the model, map the errors of
/// writes.
impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        match &*error.kind {
            ErrorKind::ServerSelection { message, .. } => connection(message, false),
            ErrorKind::DnsResolve { .. } => connection("a host's DNS record cannot be read", false),
            ErrorKind::Shutdown => connection("the client was shut down", false),
            ErrorKind::ConnectionPoolCleared { .. } => {
                connection("the connection was closed after the failure of another operation", true)
            }
            ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::TimedOut => {
                Error::TimedOut { limit: Limit::Network }
            }
            ErrorKind::Io(cause) => connection(&cause.to_string(), true),
            ErrorKind::Command(refused) => {
                let known = of_code(refused.code, &refused.code_name);
                known.unwrap_or_else(|| {
                    if code::is_standalone(&error) { Error::NotReplicaSet } else { Error::Driver(error) }
                })
            }
            ErrorKind::Write(WriteFailure::WriteConcernError(unmet)) => {
                of_code(unmet.code, &unmet.code_name).unwrap_or(Error::Driver(error))
            }
            ErrorKind::InsertMany(failure) => match (&failure.write_errors, &failure.write_concern_error) {
                (None, Some(unmet)) => of_code(unmet.code, &unmet.code_name).unwrap_or(Error::Driver(error)),
                _ => Error::Driver(error),
            },
            _ => match error.get_custom::<Held>() {
                Some(&Held { collection, seconds }) => Error::TimedOut { limit: Limit::Held { collection, seconds } },
                None if error.get_custom::<Overtime>().is_some() => Error::TimedOut { limit: Limit::Operation },
                None if error.get_custom::<AfterTheEnd>().is_some() => Error::TransactionEnded,
                None => Error::Driver(error),
            },
        }
    }
}

/// Returns the cause that the server's number alone tells.
fn of_code(number: i32, name: &str) -> Option<Error> {
    let limit = match number {
        code::MAX_TIME_MS_EXPIRED | code::EXCEEDED_TIME_LIMIT => Limit::Operation,
        code::WRITE_CONCERN_TIMEOUT => Limit::WriteConcern,
        code::TRANSACTION_EXCEEDED_LIFETIME_LIMIT => Limit::Transaction,
        code::LOCK_TIMEOUT => Limit::Lock,
        code::NETWORK_TIMEOUT | code::NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT => Limit::Network,
        number if code::STATE_CHANGES.contains(&number) => {
            return Some(connection(&format!("the server is no primary now: code {number} ({name})"), true));
        }
        number if code::UNREACHABLE.contains(&number) => {
            return Some(connection(&format!("a server is out of reach: code {number} ({name})"), true));
        }
        code::WRITE_CONFLICT => return Some(Error::WriteConflict),
        code::UNKNOWN_TIME_ZONE => {
            return Some(Error::Query { message: "the server does not know the time zone of the aggregation" });
        }
        _ => return None,
    };
    Some(Error::TimedOut { limit })
}

fn connection(message: &str, sent: bool) -> Error {
    Error::Connection { address: String::new(), message: message.to_owned(), sent }
}

/// Maps the error of a write of a single document.
pub(crate) fn write(model: &ModelDefinition, error: DriverError) -> Error {
    let refused = match &*error.kind {
        ErrorKind::Write(WriteFailure::WriteError(refused)) => {
            self::refused(model, refused.code, &refused.message, refused.details.as_ref())
        }
        ErrorKind::Command(refused) => {
            let reply = error.server_response().and_then(|reply| Document::try_from(&**reply).ok());
            let details = reply.as_ref().and_then(|reply| reply.get_document("errInfo").ok());
            self::refused(model, refused.code, &refused.message, details)
        }
        _ => None,
    };
    refused.unwrap_or_else(|| error.into())
}

/// Maps the server's refusal of a single write in a command of many writes.
pub(crate) fn refused_write(model: &ModelDefinition, refused: IndexedWriteError) -> Error {
    let refused = ErrorKind::Write(WriteFailure::WriteError(refused.into()));
    write(model, refused.into())
}

/// Maps the error of an insert batch; `inserted` documents were stored before the batch. Batches are ordered: the
/// server stops at the first document that the server refuses.
pub(crate) fn write_many(model: &'static ModelDefinition, inserted: usize, error: DriverError) -> Error {
    let refused = match &*error.kind {
        ErrorKind::InsertMany(failure) => failure.write_errors.as_ref().and_then(|errors| errors.first()),
        _ => None,
    };
    let position = refused.map(|refused| refused.index);
    let source = refused
        .and_then(|refused| self::refused(model, refused.code, &refused.message, refused.details.as_ref()))
        .unwrap_or_else(|| error.into());
    Error::InsertMany {
        collection: model.collection,
        inserted: inserted + position.unwrap_or(0),
        index: position.map(|position| inserted + position),
        source: Box::new(source),
    }
}

/// Returns the cause of the server's refusal of a document; `None` where this crate has no type for the cause.
fn refused(model: &ModelDefinition, number: i32, message: &str, details: Option<&Document>) -> Option<Error> {
    match number {
        code::DOCUMENT_VALIDATION_FAILURE => Some(validation::refused(model, details)),
        code::DUPLICATE_KEY => Some(duplicate(model, message)),
        number if code::TOO_LARGE.contains(&number) => {
            let (model, size) = (model.model, size_of(message));
            Some(Error::DocumentTooLarge { model, size, limit: DOCUMENT_BYTES })
        }
        _ => None,
    }
}

/// Returns the bytes of a document that is too large, when the server's message has the number:
/// `BSONObj size: 18000047 (0x112A8AF) is invalid. ..`.
fn size_of(message: &str) -> Option<usize> {
    let (_, after) = message.split_once("BSONObj size: ")?;
    after.split_once(' ')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::size_of;

    #[test]
    fn a_size_is_read_where_there_is_one() {
        let message = "BSONObj size: 18000047 (0x112A8AF) is invalid. Size must be between 0 and 16793600(16MB)";
        assert_eq!(size_of(message), Some(18_000_047));
        assert_eq!(size_of("Resulting document after update is larger than 16777216"), None);
    }
}
