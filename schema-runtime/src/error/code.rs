//! The server's numbers for errors. Source: MongoDB, "error codes".

use mongodb::error::{Error, ErrorKind, WriteFailure};

pub(crate) const UNAUTHORIZED: i32 = 13;
pub(crate) const ILLEGAL_OPERATION: i32 = 20;
pub(crate) const LOCK_TIMEOUT: i32 = 24;
pub(crate) const INDEX_NOT_FOUND: i32 = 27;
pub(crate) const NAMESPACE_NOT_FOUND: i32 = 26;
pub(crate) const NAMESPACE_EXISTS: i32 = 48;
pub(crate) const MAX_TIME_MS_EXPIRED: i32 = 50;
/// A name that the server's database of time zones does not have.
pub(crate) const UNKNOWN_TIME_ZONE: i32 = 40485;
const NOT_A_REPLICA_SET: i32 = 123;
const NO_CHANGE_STREAMS: i32 = 40573;
pub(crate) const WRITE_CONCERN_TIMEOUT: i32 = 64;
pub(crate) const INVALID_OPTIONS: i32 = 72;
pub(crate) const INDEX_OPTIONS_CONFLICT: i32 = 85;
pub(crate) const INDEX_KEY_SPECS_CONFLICT: i32 = 86;
pub(crate) const NETWORK_TIMEOUT: i32 = 89;
pub(crate) const WRITE_CONFLICT: i32 = 112;
pub(crate) const DOCUMENT_VALIDATION_FAILURE: i32 = 121;
pub(crate) const OPTION_NOT_SUPPORTED_ON_VIEW: i32 = 167;
pub(crate) const NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT: i32 = 202;
pub(crate) const SNAPSHOT_UNAVAILABLE: i32 = 246;
pub(crate) const EXCEEDED_TIME_LIMIT: i32 = 262;
pub(crate) const TRANSACTION_EXCEEDED_LIFETIME_LIMIT: i32 = 290;
pub(crate) const CANNOT_CONVERT_INDEX_TO_UNIQUE: i32 = 359;
pub(crate) const DUPLICATE_KEY: i32 = 11000;
pub(crate) const INTERRUPTED: i32 = 11601;
/// A value that a `$toLong` cannot convert.
pub(crate) const CONVERSION_FAILURE: i32 = 241;
/// A `$merge` by fields that no unique index has.
pub(crate) const NO_UNIQUE_INDEX: i32 = 51183;

/// The codes for a transaction that meets other work on the same data, and that succeeds after a pause.
pub(crate) const CONFLICTS: [i32; 3] = [WRITE_CONFLICT, LOCK_TIMEOUT, SNAPSHOT_UNAVAILABLE];

/// The codes for a document that is too large (`BSONObjectTooLarge`), or that an update or an upsert would make too
/// large.
pub(crate) const TOO_LARGE: [i32; 3] = [10334, 17419, 17420];

/// A `$facet` is over 16 MB, or over 100 MB in memory. Source: src/mongo/db/pipeline/document_source_facet.cpp,
/// src/mongo/db/query/plan_executor.h and src/mongo/base/error_codes.yml.
pub(crate) const FACETS_TOO_LARGE: [i32; 5] = [10334, 17419, 4031700, 146, 292];

/// The codes for a change of an index that conflicts with another client's change of the same collection:
/// `ConflictingOperationInProgress`, `CommandFailed`, `IndexBuildAlreadyInProgress`, `IndexBuildAborted`,
/// `BackgroundOperationInProgressForDatabase`, `BackgroundOperationInProgressForNamespace`.
pub(crate) const IN_THE_WAY: [i32; 6] = [117, 125, 276, 289, 12586, 12587];

/// The codes for a change stream that cannot go on: `FailedToParse` (the resume token), `InvalidResumeToken`,
/// `ChangeStreamFatalError`, `ChangeStreamHistoryLost`.
pub(crate) const LOST_CHANGES: [i32; 4] = [9, 260, 280, 286];

/// The codes for work that another client's drop or an idle cursor has ended: `CursorNotFound`, `QueryPlanKilled`,
/// `DatabaseDropPending`, `CursorKilled`.
pub(crate) const ENDED_BY_OTHERS: [i32; 4] = [43, 175, 215, 237];

/// The codes for a read that a restarted server or a new primary cannot go on with, and that succeeds on a second try:
/// `CursorNotFound`, `ReadConcernMajorityNotAvailableYet`.
pub(crate) const LOST_READS: [i32; 2] = [43, 134];

/// The codes for a transaction that the server has ended, for example because the transaction was open for too long:
/// `TransactionTooOld`, `NoSuchTransaction`, `TransactionExceededLifetimeLimitSeconds`.
pub(crate) const ENDED_TRANSACTIONS: [i32; 3] = [225, 251, TRANSACTION_EXCEEDED_LIFETIME_LIMIT];

/// The codes for a server without search: `CommandNotFound`, `CommandNotSupported`, `SearchNotEnabled`, and a stage of
/// a pipeline that the server does not know, or does not serve.
pub(crate) const NO_SEARCH: [i32; 5] = [59, 115, 31082, 40324, 6047401];

/// The code for a second index of the same name (`IndexAlreadyExists`).
pub(crate) const INDEX_EXISTS: i32 = 68;

/// The codes for a user without the right to a command, and for refused credentials: `Unauthorized`,
/// `AuthenticationFailed`.
pub(crate) const REFUSED_USERS: [i32; 2] = [UNAUTHORIZED, 18];

/// The codes for a server that shuts down, steps down, recovers or is no primary. Source: MongoDB's specification
/// "Server Discovery And Monitoring", "state change errors".
pub(crate) const STATE_CHANGES: [i32; 8] = [91, 189, 10058, 10107, 11600, 11602, 13435, 13436];

/// The codes for a router or a primary that does not reach another server: `HostUnreachable`, `HostNotFound`,
/// `SocketException`.
pub(crate) const UNREACHABLE: [i32; 3] = [6, 7, 9001];

/// Returns the code of an error of a command.
pub(crate) fn command_code(error: &Error) -> Option<i32> {
    match error.kind.as_ref() {
        ErrorKind::Command(command) => Some(command.code),
        _ => None,
    }
}

/// Returns the code of any error of the server.
pub(crate) fn server_code(error: &Error) -> Option<i32> {
    match error.kind.as_ref() {
        ErrorKind::Command(command) => Some(command.code),
        ErrorKind::Write(WriteFailure::WriteError(refused)) => Some(refused.code),
        ErrorKind::Write(WriteFailure::WriteConcernError(unmet)) => Some(unmet.code),
        ErrorKind::InsertMany(failure) => {
            let refused = failure.write_errors.as_ref().and_then(|errors| errors.first()).map(|refused| refused.code);
            refused.or(failure.write_concern_error.as_ref().map(|unmet| unmet.code))
        }
        _ => None,
    }
}

/// Returns whether the server refused one document, for example by the validator, and not the command.
pub(crate) fn is_refusal(error: &Error) -> bool {
    matches!(error.kind.as_ref(), ErrorKind::Write(WriteFailure::WriteError(_)))
}

/// Returns a short name for the kind of a driver error.
pub(crate) fn kind(error: &Error) -> &'static str {
    match error.kind.as_ref() {
        ErrorKind::InvalidArgument { .. } => "invalid_argument",
        ErrorKind::Authentication { .. } => "authentication",
        ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => "timeout",
        ErrorKind::Io(_) => "io",
        ErrorKind::ConnectionPoolCleared { .. } => "connection_pool_cleared",
        ErrorKind::ServerSelection { .. } => "server_selection",
        ErrorKind::DnsResolve { .. } => "dns",
        ErrorKind::InvalidTlsConfig { .. } => "tls",
        ErrorKind::InvalidResponse { .. } => "invalid_response",
        ErrorKind::BsonDeserialization(_) | ErrorKind::BsonSerialization(_) => "bson",
        ErrorKind::Transaction { .. } => "transaction",
        ErrorKind::SessionsNotSupported => "sessions_not_supported",
        ErrorKind::IncompatibleServer { .. } => "incompatible_server",
        ErrorKind::Shutdown => "shutdown",
        ErrorKind::Internal { .. } => "internal",
        _ => "_OTHER",
    }
}

/// Returns the server's message for an error of a command.
pub(crate) fn command_message(error: &Error) -> String {
    match error.kind.as_ref() {
        ErrorKind::Command(command) => command.message.clone(),
        _ => error.to_string(),
    }
}

/// Returns whether the user lacks the right to run the command.
pub(crate) fn is_unauthorized(error: &Error) -> bool {
    command_code(error) == Some(UNAUTHORIZED)
}

/// Returns whether a server refuses a read at a point in time because the server is in no replica set.
pub(crate) fn is_in_no_replica_set(error: &Error) -> bool {
    command_code(error) == Some(NOT_A_REPLICA_SET)
}

/// Returns whether a server refuses a change stream because the server is in no replica set.
pub(crate) fn has_no_change_streams(error: &Error) -> bool {
    command_code(error) == Some(NO_CHANGE_STREAMS)
}

/// Returns whether a standalone server refused a transaction: a standalone server takes no transaction numbers. For a
/// numbered write outside of a transaction, the driver replaces the server's message with the driver's own text.
pub(crate) fn is_standalone(error: &Error) -> bool {
    const SAID: [&str; 2] = ["Transaction numbers", "This MongoDB deployment does not support retryable writes"];
    matches!(error.kind.as_ref(), ErrorKind::Command(command)
        if command.code == ILLEGAL_OPERATION && SAID.iter().any(|words| command.message.starts_with(words)))
}

#[cfg(test)]
pub(crate) mod tests {
    use mongodb::bson::doc;

    use super::*;
    use crate::codec;

    /// Returns the error of a command that a server refuses with this code.
    pub(crate) fn error_of_code(code: i32) -> Error {
        let reply = codec::encode(&doc! { "code": code, "codeName": "x", "errmsg": "x" }).expect("BSON");
        ErrorKind::Command(codec::decode(&reply).expect("an error of a command")).into()
    }
}
