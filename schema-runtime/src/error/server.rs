//! From the driver's and the server's errors to ours: the one place. The texts made here hold names and numbers, never a
//! document's values.

use mongodb::{
    bson::Document,
    error::{Error as DriverError, ErrorKind, WriteFailure},
};

use super::{Error, Limit, code, validation};
use crate::definition::ModelDefinition;

/// Every operation's errors come this way; those of a write by `write` or `write_many`, which know the model.
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
            _ => Error::Driver(error),
        }
    }
}

/// A cause that the server's number alone tells.
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
        _ => return None,
    };
    Some(Error::TimedOut { limit })
}

fn connection(message: &str, sent: bool) -> Error {
    Error::Connection { address: String::new(), message: message.to_owned(), sent }
}

/// Why a write of one document failed.
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

/// Why a batch of an insert failed, before which `inserted` documents were stored. Batches are ordered: the server stops at
/// the first document that it refuses.
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

/// Why the server refused a document, where that has a type of ours.
fn refused(model: &ModelDefinition, number: i32, message: &str, details: Option<&Document>) -> Option<Error> {
    match number {
        code::DOCUMENT_VALIDATION_FAILURE => Some(validation::refused(model, details)),
        code::DUPLICATE_KEY => Some(Error::DuplicateKey {
            collection: model.collection.to_owned(),
            index: duplicate_index(message).to_owned(),
            key: duplicate_key(message).to_owned(),
        }),
        _ => None,
    }
}

/// The name of the index, which the driver keeps only in the message:
/// `E11000 duplicate key error collection: shop.parts index: by_number dup key: { .. }`. The values come last, so the first of
/// each word is the server's own.
fn duplicate_index(message: &str) -> &str {
    let Some((_, after)) = message.split_once(" index: ") else { return "" };
    let end = [" collation: {", " dup key: "].iter().filter_map(|word| after.find(word)).min();
    &after[..end.unwrap_or(after.len())]
}

/// The key that is there already, as the server writes it: all that follows the name of the index.
pub(crate) fn duplicate_key(message: &str) -> &str {
    let after = message.split_once(" index: ").and_then(|(_, after)| after.split_once(" dup key: "));
    after.map_or("", |(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::{duplicate_index, duplicate_key};

    #[test]
    fn the_index_and_the_key_are_read_whatever_the_values_are() {
        let of = |message| (duplicate_index(message), duplicate_key(message));
        let message =
            "E11000 duplicate key error collection: t.y index: by_a dup key: { a: \"} index: x dup key: {\" }";
        assert_eq!(of(message), ("by_a", "{ a: \"} index: x dup key: {\" }"));
        let message =
            "E11000 duplicate key error collection: t.y index: a_1 collation: { locale: \"en\" } dup key: { a: 1 }";
        assert_eq!(of(message), ("a_1", "{ a: 1 }"));
        assert_eq!(of("E11000"), ("", ""));
        assert_eq!(of("E11000 duplicate key error collection: t.y index: a"), ("a", ""));
    }
}
