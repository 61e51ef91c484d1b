//! Classes of causes: the caller's reaction to an error, and the HTTP status of an answer.

use mongodb::error::TRANSIENT_TRANSACTION_ERROR;

use crate::error::{AggregateError, BucketError, Error, Limit, SearchError, ShardingError, TreeError, code};

/// The class of an [`Error`]'s cause, which tells a caller how to react. [The page `errors`](crate::guide) lists the
/// causes of each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No document matched, and the call needs a document. HTTP 404.
    NotFound,
    /// A unique index has the key already. HTTP 409.
    Duplicate,
    /// The stored data differs from the data that the write expects: another version, a condition that is not met, an
    /// overlapping interval, another shard key, another value of an immutable field, a write at the same time. HTTP
    /// 409.
    Conflict,
    /// Documents refer to the document by a relation with `on_delete = restrict`. HTTP 409.
    Restricted,
    /// A value or a document is larger than allowed. HTTP 422.
    TooLarge,
    /// A value or a JSON text does not fit, or a page token belongs to another query. HTTP 422.
    Invalid,
    /// A reference names a missing document. HTTP 422.
    Dangling,
    /// The write is done and stays, and [`Schema::recover`](crate::Schema::recover) does the work after the write. HTTP
    /// 200, as without an error: the caller got the requested write.
    Pending,
    /// No server answers in time, or a restarted server has lost the cursor of a read. HTTP 503.
    Unavailable,
    /// A stored document does not fit the struct. HTTP 500.
    Decode,
    /// The program asks for an operation that cannot be sent. HTTP 500.
    Misuse,
    /// The definitions, a plan and the database do not agree. HTTP 500.
    Schema,
    /// The setup has no usable server: the version, the topology, the rights of the user or the connection string do
    /// not fit. HTTP 500.
    Setup,
    /// Any other error of the driver or the server. HTTP 500.
    Driver,
}

impl ErrorKind {
    /// Returns the HTTP status of a fitting answer: `StatusCode::from_u16(error.kind().http_status())`.
    pub const fn http_status(self) -> u16 {
        match self {
            ErrorKind::Pending => 200,
            ErrorKind::NotFound => 404,
            ErrorKind::Duplicate | ErrorKind::Conflict | ErrorKind::Restricted => 409,
            ErrorKind::TooLarge | ErrorKind::Invalid | ErrorKind::Dangling => 422,
            ErrorKind::Decode | ErrorKind::Misuse | ErrorKind::Schema | ErrorKind::Setup | ErrorKind::Driver => 500,
            ErrorKind::Unavailable => 503,
        }
    }
}

impl Error {
    /// Returns the class of the cause. For an insert of many documents and for a bulk write the class is the class of
    /// the failed document or the failed write.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::NotFound { .. } => ErrorKind::NotFound,
            Error::DuplicateKey { .. } => ErrorKind::Duplicate,
            Error::VersionConflict { .. }
            | Error::ConditionFailed { .. }
            | Error::WriteConflict
            | Error::IntervalOverlap { .. }
            | Error::ImmutableField { .. }
            | Error::Sharding(ShardingError::KeyDiffers { .. })
            | Error::Tree(TreeError::MoveInProgress { .. }) => ErrorKind::Conflict,
            Error::DeleteRestricted { .. } => ErrorKind::Restricted,
            Error::BoundExceeded { .. } | Error::DocumentTooLarge { .. } => ErrorKind::TooLarge,
            Error::DocumentInvalid { .. }
            | Error::Encode { .. }
            | Error::HiddenNotLoaded { .. }
            | Error::Json(_)
            | Error::PageToken { .. }
            | Error::Tree(TreeError::Cycle { .. } | TreeError::TooDeep { .. } | TreeError::Id { .. }) => {
                ErrorKind::Invalid
            }
            Error::DanglingReference { .. } => ErrorKind::Dangling,
            Error::Incomplete { missing: 0, .. } => ErrorKind::Decode,
            Error::Incomplete { .. } => ErrorKind::Dangling,
            Error::CopiesPending { .. } | Error::Tree(TreeError::MovePending { .. }) => ErrorKind::Pending,
            Error::TimedOut { .. } | Error::Connection { .. } | Error::Search(SearchError::NotReady { .. }) => {
                ErrorKind::Unavailable
            }
            Error::Decode { .. } | Error::Aggregate(AggregateError::Overflow { .. }) => ErrorKind::Decode,
            Error::Filter { .. }
            | Error::Query { .. }
            | Error::Aggregate(AggregateError::FacetsTooLarge { .. })
            | Error::UnknownIndex { .. }
            | Error::Update { .. }
            | Error::MirrorWritten { .. }
            | Error::StoredAs { .. }
            | Error::NotLoaded { .. }
            | Error::OutsideTransaction
            | Error::TransactionEnded
            | Error::Concern { .. }
            | Error::Sharding(ShardingError::KeyMissing { .. }) => ErrorKind::Misuse,
            Error::DefinitionConflict { .. }
            | Error::IndexConflict { .. }
            | Error::PlanOutdated { .. }
            | Error::ApplyIncomplete { .. }
            | Error::Aggregate(AggregateError::NoUniqueIndex { .. })
            | Error::Search(SearchError::Refused { .. } | SearchError::BuildFailed { .. })
            | Error::Sharding(ShardingError::Refused { .. }) => ErrorKind::Schema,
            Error::NotReplicaSet
            | Error::ServerTooOld { .. }
            | Error::ConnectionString { .. }
            | Error::Embedded { .. }
            | Error::NotAuthorized { .. } => ErrorKind::Setup,
            Error::Driver(error) => match code::server_code(error) {
                Some(number) if code::LOST_READS.contains(&number) => ErrorKind::Unavailable,
                _ => ErrorKind::Driver,
            },
            Error::InsertMany { source, .. }
            | Error::Bulk { source, .. }
            | Error::Bucket(BucketError::NotMoved { source, .. }) => match source.kind() {
                // The error of one part of several.
                ErrorKind::Pending => ErrorKind::Unavailable,
                kind => kind,
            },
        }
    }

    /// Returns true when the write is done and stays, and only the work after the write is left to
    /// [`Schema::recover`](crate::Schema::recover): do not write again. Returns false for an incomplete insert of many
    /// documents and for an incomplete bulk write: the error's own fields count the writes that are done.
    pub fn is_done(&self) -> bool {
        self.kind() == ErrorKind::Pending
    }

    /// Returns true when nothing is done, for certain, and the same call may succeed on a second try without a change:
    /// inside the callback of a transaction, a second try of the whole transaction. Returns false when a server may
    /// have done the write already; a read may be repeated after any [`Unavailable`](ErrorKind::Unavailable).
    pub fn is_retryable(&self) -> bool {
        match self {
            Error::Connection { sent, .. } => !sent,
            Error::WriteConflict
            | Error::TimedOut { limit: Limit::Transaction | Limit::Lock | Limit::Held { .. } }
            | Error::Tree(TreeError::MoveInProgress { .. }) => true,
            Error::Driver(error) => error.contains_label(TRANSIENT_TRANSACTION_ERROR),
            Error::InsertMany { inserted: 0, source, .. } => source.is_retryable(),
            Error::Bulk { done: 0, unknown: 0, source, .. } => source.is_retryable(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mongodb::bson::Bson;

    use super::*;
    use crate::error::{JsonError, JsonErrorKind, StoredDocument, code::tests::error_of_code};

    fn name() -> String {
        String::new()
    }

    /// Returns an error of each variant.
    fn samples() -> Vec<(Error, ErrorKind)> {
        let (model, collection, source) = ("M", "ms", Box::new(Error::WriteConflict));
        let (id, holder) = (Box::new(Bson::Null), Box::new(Bson::Null));
        let unit = crate::error::BoundUnit::Bytes;
        vec![
            (Error::NotFound { model, collection }, ErrorKind::NotFound),
            (Error::VersionConflict { model, collection, expected: 1, found: None }, ErrorKind::Conflict),
            (Error::ConditionFailed { model, collection }, ErrorKind::Conflict),
            (
                Error::BoundExceeded { model: name(), field: name(), bound: 1, size: 2, unit, others: vec![] },
                ErrorKind::TooLarge,
            ),
            (Error::DocumentTooLarge { model, size: Some(2), limit: 1 }, ErrorKind::TooLarge),
            (Error::DocumentInvalid { collection: name(), failures: vec![] }, ErrorKind::Invalid),
            (
                Error::DuplicateKey { collection: name(), index: name(), fields: vec![], key: name() },
                ErrorKind::Duplicate,
            ),
            (Error::InsertMany { collection, inserted: 0, index: None, source: source.clone() }, ErrorKind::Conflict),
            (
                Error::Bulk {
                    collection,
                    index: None,
                    done: 1,
                    failed: 0,
                    not_tried: 0,
                    unknown: 0,
                    source: source.clone(),
                },
                ErrorKind::Conflict,
            ),
            (
                Error::Decode { collection: name(), model, id: id.clone(), path: name(), message: name() },
                ErrorKind::Decode,
            ),
            (Error::Encode { field: name(), message: name() }, ErrorKind::Invalid),
            (Error::StoredAs { field: name(), declared: "", written: "" }, ErrorKind::Misuse),
            (Error::Filter { message: "" }, ErrorKind::Misuse),
            (Error::Query { message: "" }, ErrorKind::Misuse),
            (Error::UnknownIndex { model, index: name(), indexes: vec![] }, ErrorKind::Misuse),
            (Error::dangling((model, "f"), collection, Bson::Null, Bson::Null), ErrorKind::Dangling),
            (Error::DeleteRestricted { relation: name(), by: holder }, ErrorKind::Restricted),
            (Error::MirrorWritten { model, field: "f", of: name() }, ErrorKind::Misuse),
            (
                Error::CopiesPending { collection, document: StoredDocument::default(), source: source.clone() },
                ErrorKind::Pending,
            ),
            (Error::Update { message: name() }, ErrorKind::Misuse),
            (Error::Incomplete { field: name(), missing: 1, failed: 0 }, ErrorKind::Dangling),
            (Error::Incomplete { field: name(), missing: 0, failed: 1 }, ErrorKind::Decode),
            (Error::NotLoaded { field: name() }, ErrorKind::Misuse),
            (Error::HiddenNotLoaded { model, field: "f" }, ErrorKind::Invalid),
            (Error::Json(JsonError::new(JsonErrorKind::UnknownField)), ErrorKind::Invalid),
            (Error::PageToken { reason: "" }, ErrorKind::Invalid),
            (Error::OutsideTransaction, ErrorKind::Misuse),
            (Error::TransactionEnded, ErrorKind::Misuse),
            (Error::Concern { message: "" }, ErrorKind::Misuse),
            (Error::NotReplicaSet, ErrorKind::Setup),
            (Error::ServerTooOld { found: name() }, ErrorKind::Setup),
            (Error::ConnectionString { message: name() }, ErrorKind::Setup),
            (Error::Connection { address: name(), message: name(), sent: false }, ErrorKind::Unavailable),
            (Error::WriteConflict, ErrorKind::Conflict),
            (Error::TimedOut { limit: Limit::Lock }, ErrorKind::Unavailable),
            (Error::Embedded { message: name() }, ErrorKind::Setup),
            (Error::DefinitionConflict { collection: name(), message: name() }, ErrorKind::Schema),
            (Error::IndexConflict { collection: name(), index: name(), message: name() }, ErrorKind::Schema),
            (Error::IntervalOverlap { model, field: "f" }, ErrorKind::Conflict),
            (Error::ImmutableField { model, field: "f" }, ErrorKind::Conflict),
            (Error::Tree(TreeError::Cycle { model }), ErrorKind::Invalid),
            (Error::Tree(TreeError::MoveInProgress { collection }), ErrorKind::Conflict),
            (
                Error::Tree(TreeError::MovePending {
                    collection,
                    document: StoredDocument::default(),
                    source: source.clone(),
                }),
                ErrorKind::Pending,
            ),
            (Error::Bucket(BucketError::NotMoved { collection, id, source }), ErrorKind::Conflict),
            (Error::PlanOutdated { collection: name(), what: name() }, ErrorKind::Schema),
            (Error::Aggregate(AggregateError::Overflow { model, field: name() }), ErrorKind::Decode),
            (Error::Aggregate(AggregateError::FacetsTooLarge { model }), ErrorKind::Misuse),
            (
                Error::Aggregate(AggregateError::NoUniqueIndex { collection: "", model, keys: name() }),
                ErrorKind::Schema,
            ),
            (Error::Sharding(ShardingError::KeyMissing { model, collection, fields: vec![] }), ErrorKind::Misuse),
            (Error::Sharding(ShardingError::KeyDiffers { model, collection }), ErrorKind::Conflict),
            (
                Error::Sharding(ShardingError::Refused { collection: name(), command: "", message: name() }),
                ErrorKind::Schema,
            ),
            (
                Error::Search(SearchError::Refused { collection: name(), index: name(), command: "", message: name() }),
                ErrorKind::Schema,
            ),
            (
                Error::Search(SearchError::BuildFailed { collection: name(), index: name(), message: name() }),
                ErrorKind::Schema,
            ),
            (
                Error::Search(SearchError::NotReady {
                    collection: name(),
                    index: name(),
                    status: name(),
                    waited: Duration::ZERO,
                }),
                ErrorKind::Unavailable,
            ),
            (Error::NotAuthorized { action: "", collection: name() }, ErrorKind::Setup),
            (Error::ApplyIncomplete { steps: 1, reasons: vec![] }, ErrorKind::Schema),
            (Error::Driver(mongodb::error::Error::custom("")), ErrorKind::Driver),
            (error_of_code(237).into(), ErrorKind::Driver),
            (error_of_code(43).into(), ErrorKind::Unavailable),
            (error_of_code(134).into(), ErrorKind::Unavailable),
        ]
    }

    /// Returns the name of an error's variant.
    fn variant(error: &Error) -> String {
        let text = format!("{error:?}");
        text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
    }

    #[test]
    fn every_variant_has_its_kind_and_the_guide_says_so() {
        let definition = include_str!("../../error.rs");
        let page = include_str!("../../../../guide/pages/guides/errors.md");
        let declared = definition.lines().filter_map(|line| line.strip_prefix("    "));
        let declared = declared.filter(|line| line.starts_with(|letter: char| letter.is_ascii_uppercase()));
        let samples = samples();
        for line in declared {
            let name = line.split(|letter: char| !letter.is_alphanumeric()).next().unwrap();
            assert!(samples.iter().any(|(error, _)| variant(error) == name), "`{name}` is not tried here");
        }
        for (error, kind) in samples {
            assert_eq!(error.kind(), kind, "{error:?}");
            assert_eq!(error.is_done(), kind == ErrorKind::Pending);
            let row = page.lines().find(|line| line.starts_with(&format!("| `ErrorKind::{kind:?}` |")));
            let row = row.unwrap_or_else(|| panic!("the page has no row of `{kind:?}`"));
            let is_of_its_source = matches!(error, Error::InsertMany { .. } | Error::Bulk { .. } | Error::Bucket(_));
            let is_named = row.contains(&format!("`Error::{}`", variant(&error)));
            assert!(is_named || is_of_its_source, "{error:?} is not in {row}");
            assert!(row.contains(&format!("| {}", kind.http_status())), "{row}");
        }
    }

    #[test]
    fn what_may_be_made_again_has_done_nothing() {
        let lost = |sent| Error::Connection { address: name(), message: name(), sent };
        let many = |inserted, source| Error::InsertMany { collection: "ms", inserted, index: None, source };
        assert!(lost(false).is_retryable() && !lost(true).is_retryable());
        assert!(Error::WriteConflict.is_retryable());
        assert!(many(0, Box::new(lost(false))).is_retryable() && !many(1, Box::new(lost(false))).is_retryable());
        let document = StoredDocument::default();
        let pending = Error::CopiesPending { collection: "ms", document, source: Box::new(lost(false)) };
        assert!(pending.is_done() && !pending.is_retryable());
        assert!(!many(1_000, Box::new(pending)).is_done(), "the later documents are not inserted");
        assert!(!Error::TimedOut { limit: Limit::WriteConcern }.is_retryable());
    }
}
