//! Every way an operation can fail, as causes that a program can match: see [the page `errors`](crate::guide).

mod aggregate;
mod bucket;
pub(crate) mod cause;
pub(crate) mod code;
mod facts;
mod failed_rule;
mod json;
mod search;
pub(crate) mod server;
mod sharding;
mod stored;
pub(crate) mod text;
mod tree;
mod validation;

pub use self::{
    aggregate::AggregateError, bucket::BucketError, cause::BoundUnit, cause::ExceededBound, cause::Limit,
    facts::ErrorKind, facts::Result, failed_rule::FailedRule, failed_rule::RuleLimit, json::JsonError,
    json::JsonErrorKind, search::SearchError, sharding::ShardingError, stored::StoredDocument, tree::TreeError,
};
pub(crate) use failed_rule::Fault;
use mongodb::bson::Bson;

/// Why an operation failed: see [the page `errors`](crate::guide). The text (`Display`) has no value of a document, and
/// may go to a log; the fields and `Debug` may hold values. No error holds a connection string.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No document matched, and the call needs a document.
    #[error("no document of `{model}` in `{collection}` matches")]
    NotFound {
        /// The model.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
    },
    /// A document was changed since the value was read (`#[version]`). Nothing was written: read the document again.
    #[error("a document of `{model}` in `{collection}` has changed since the read: the stored version is {}, not {expected}", text::version(*found))]
    VersionConflict {
        /// The model.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
        /// The version that the value holds.
        expected: i64,
        /// The stored version; `None` when the document has no version.
        found: Option<i64>,
    },
    /// The document does not meet the condition of [`only_if`](crate::operation::Update::only_if). Nothing was written.
    #[error("the document of `{model}` in `{collection}` does not meet the condition of the update")]
    ConditionFailed {
        /// The model.
        model: &'static str,
        /// The collection of the model.
        collection: &'static str,
    },
    /// A value is larger than the declared bound. Nothing was written.
    #[error("{} of `{model}` has {size} {unit}, the bound is {bound}{}", text::place(field), text::others(others))]
    BoundExceeded {
        /// The model.
        model: String,
        /// The stored path of the value: `addresses.3.tags`; `*` for a key of a map or an added element.
        field: String,
        /// The bound: the largest size that the value may have.
        bound: u64,
        /// The size of the value.
        size: u64,
        /// The unit of the bound and of the size.
        unit: BoundUnit,
        /// Further values of the document over their bounds, as far as known: an insert knows all values.
        others: Vec<ExceededBound>,
    },
    /// A document is, or would be, larger than MongoDB allows. In a write of many documents, the rest may be written.
    #[error("a document of `{model}` {}, the most is {limit}", text::size(*size))]
    DocumentTooLarge {
        /// The model.
        model: &'static str,
        /// The size of the document in bytes of BSON; `None` where only the server knows the size.
        size: Option<usize>,
        /// The largest number of bytes that a document may have: 16 MiB.
        limit: usize,
    },
    /// A document fails rules: this crate (`#[check(..)]`), or the server's validator (code 121), refused the document.
    #[error("a document of `{collection}` does not pass the collection's validator: {}", text::failures(failures))]
    DocumentInvalid {
        /// The collection.
        collection: String,
        /// The rules that failed, with the fields and the exceeded bounds; empty when the server does not tell.
        failures: Vec<FailedRule>,
    },
    /// A unique index has the same key already (code 11000). Nothing was written.
    #[error("`{collection}` has a document with the same keys in the unique index `{index}`")]
    DuplicateKey {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The stored paths of the index's fields, in order; empty where the index does not belong to the model.
        fields: Vec<String>,
        /// The stored key in the server's notation, or nothing: `{ email: ".." }`. The error's text has no key.
        key: String,
    },
    /// An insert of many documents stopped on the way. The earlier documents stay, unless in a transaction.
    #[error("{}: {source}", text::stopped(collection, *inserted, *index))]
    InsertMany {
        /// The collection.
        collection: &'static str,
        /// How many documents are known to be stored: the first documents, in the order of the call.
        inserted: usize,
        /// The position of the refused document; `None` for a lost connection, which leaves later documents unknown.
        index: Option<usize>,
        /// The cause.
        source: Box<Error>,
    },
    /// A bulk write is not complete.
    #[error("{}: {source}", text::bulk(collection, *index, [*done, *failed, *not_tried, *unknown]))]
    Bulk {
        /// The collection.
        collection: &'static str,
        /// The position of the first write that failed; `None` for a failure of no single write.
        index: Option<usize>,
        /// The number of writes that are done.
        done: usize,
        /// The number of writes that were refused.
        failed: usize,
        /// The number of writes that were not tried.
        not_tried: usize,
        /// The number of writes that were sent and not answered: each may be done or not.
        unknown: usize,
        /// The cause.
        source: Box<Error>,
    },
    /// A stored document does not fit the struct.
    #[error("{} of `{collection}` does not fit `{model}`{}", text::document(id), text::misfit(path, message))]
    Decode {
        /// The collection.
        collection: String,
        /// The struct.
        model: &'static str,
        /// The document's `_id`; null when the `_id` is missing or unknown.
        id: Box<Bson>,
        /// The path of the field; empty for the document itself.
        path: String,
        /// Serde's message, which may repeat the value.
        message: String,
    },
    /// A value cannot be written as BSON, as a `u64` above `i64::MAX`, or a date with microseconds. Nothing was sent.
    #[error("a value{} cannot be written as BSON{}", text::in_field(field), text::unwritable(message))]
    Encode {
        /// The stored path of the value, with `*` for a key of a map; empty where serde does not tell the path.
        field: String,
        /// Serde's message, which may repeat the value.
        message: String,
    },
    /// serde writes a value as another BSON type than `#[stored_as(..)]` declares. Nothing was sent.
    #[error("a value{} is written as {written}, and `stored_as` declares {declared}", text::in_field(field))]
    StoredAs {
        /// The stored path of the value, with `*` for a key of a map; empty for a value outside of a document.
        field: String,
        /// The declared type, in MongoDB's words; of an integer, the type in Rust.
        declared: &'static str,
        /// The type that serde wrote, in MongoDB's words.
        written: &'static str,
    },
    /// A filter that the server's query language cannot express.
    #[error("this filter cannot be sent: {message}")]
    Filter {
        /// The reason, and the way to write the filter instead.
        message: &'static str,
    },
    /// A hint names no index of the model. Nothing was sent.
    #[error("the hint names no index of `{model}`: the indexes are {}", text::list(indexes))]
    UnknownIndex {
        /// The model.
        model: &'static str,
        /// The name in the hint.
        index: String,
        /// The names of the indexes of the model.
        indexes: Vec<String>,
    },
    /// A query that cannot be sent, because the parts contradict each other.
    #[error("this query cannot be sent: {message}")]
    Query {
        /// The reason, and the way to write the query instead.
        message: &'static str,
    },
    /// A reference names a missing document.
    #[error("`{relation}`{} refers to {} `{collection}` does not have", text::of(holder), text::which(id))]
    DanglingReference {
        /// The relation, `LogMsg.host`.
        relation: String,
        /// The model that refers, `LogMsg`.
        model: &'static str,
        /// The field that refers, `host`; for a copy the stored path of the reference, `parts.partId`.
        field: String,
        /// The collection that should have the document.
        collection: &'static str,
        /// The `_id` that no document has.
        id: Box<Bson>,
        /// The `_id` of the document that holds the reference; null where a write does not tell the holder.
        holder: Box<Bson>,
    },
    /// A document that other documents refer to by `on_delete = restrict` is not deleted. Nothing was written.
    #[error("the document is not deleted: `{relation}` refers to the document and has `on_delete = restrict`")]
    DeleteRestricted {
        /// The relation, `LogMsg.host`.
        relation: String,
        /// The `_id` of a document that refers to the document.
        by: Box<Bson>,
    },
    /// An inserted value has an entry in the mirror of a `two_way` relation. Nothing was written.
    #[error("`{field}` of `{model}` mirrors `{of}`, and must be empty in an inserted value: write the far side")]
    MirrorWritten {
        /// The model.
        model: &'static str,
        /// The field that mirrors.
        field: &'static str,
        /// The relation, `Task.owner`.
        of: String,
    },
    /// The write is done, and [`recover`](crate::Schema::recover) updates some copies. Do not write again.
    #[error("the write to `{collection}` is done, and the copies are not: {source}; `recover` propagates the copies")]
    CopiesPending {
        /// The collection of the write.
        collection: &'static str,
        /// The document that the call would have returned: see [`Error::document`].
        document: StoredDocument,
        /// The cause.
        source: Box<Error>,
    },
    /// An update that cannot be sent. Nothing was written.
    #[error("this update cannot be sent: {message}")]
    Update {
        /// The reason, and the way to write the update instead.
        message: String,
    },
    /// A join is not complete: some references dangle or some documents do not fit.
    #[error("the join of `{field}` is not complete: {missing} missing, {failed} that do not fit")]
    Incomplete {
        /// The relation, `Product.parts`.
        field: String,
        /// The number of references without a document.
        missing: usize,
        /// The number of documents that could not be decoded.
        failed: usize,
    },
    /// A look-up asks a load for a parent, or for an element that refers to a child, which the load did not include.
    #[error("the load of `{field}` did not include the parent, or the document that the element refers to")]
    NotLoaded {
        /// The relation, `Product.parts`.
        field: String,
    },
    /// A new document lacks the value of a `#[hidden]` field that was not loaded. Nothing of the document was written.
    #[error("`{model}.{field}` is hidden and was not loaded, and a new document needs the value: set the field")]
    HiddenNotLoaded {
        /// The model.
        model: &'static str,
        /// The stored name of the field.
        field: &'static str,
    },
    /// A JSON text is no value of the struct.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A page cursor that is damaged or belongs to another query.
    #[error("this page token cannot be used: {reason}")]
    PageToken {
        /// The reason.
        reason: &'static str,
    },
    /// The plain database was used inside the callback of a transaction: the write would run outside.
    #[error("the plain database is used inside a transaction: use the handle that the callback is given")]
    OutsideTransaction,
    /// The options of a transaction have a concern that a transaction may not have. Nothing was sent.
    #[error("this transaction cannot begin: {message}")]
    Concern {
        /// The reason.
        message: &'static str,
    },
    /// The handle of a transaction was used after the end of the transaction. Nothing was sent.
    #[error("the transaction of this handle has ended: use the handle inside the callback only")]
    TransactionEnded,
    /// The server is a standalone server, which has no transactions.
    #[error("transactions need a replica set, not a standalone server: start the server with `--replSet`")]
    NotReplicaSet,
    /// The server is older than this crate supports.
    #[error("the server is MongoDB {found}; this crate needs 6.0 or newer")]
    ServerTooOld {
        /// The server's version.
        found: String,
    },
    /// The connection string is wrong. The error does not repeat the string: the string may hold a password.
    #[error("the connection string is not valid: {message}")]
    ConnectionString {
        /// The fault of the string.
        message: String,
    },
    /// No server answers, or a server went away: any operation may end with this error.
    #[error("no MongoDB server answers{}: {message}", text::at_address(address))]
    Connection {
        /// The hosts that were tried, without user or password; empty unless [`connect`](crate::connect) failed.
        address: String,
        /// The driver's message.
        message: String,
        /// True when the command may have reached a server. A write may then be done, or not.
        sent: bool,
    },
    /// Another write changes the same documents now (code 112). The write and the transaction did nothing.
    #[error("another write changes the same documents at the same time, and nothing of this write is done")]
    WriteConflict,
    /// A time limit ended the operation.
    #[error("the operation took too long: {limit} was reached")]
    TimedOut {
        /// The limit that was reached.
        limit: Limit,
    },
    /// The local server could not be started.
    #[error("no MongoDB server could be started: {message}")]
    Embedded {
        /// The attempts so far, and the missing installation or setting.
        message: String,
    },
    /// Two models of a database name one collection, or two indexes of a model have one name.
    #[error("the definitions of `{collection}` do not agree: {message}")]
    DefinitionConflict {
        /// The collection.
        collection: String,
        /// The contradiction between the definitions.
        message: String,
    },
    /// An index conflicts with another index (code 85 or 86). Nothing was changed.
    #[error("the index `{index}` of `{collection}` cannot be made: {message}")]
    IndexConflict {
        /// The collection.
        collection: String,
        /// The index that was to be made.
        index: String,
        /// The server's message.
        message: String,
    },
    /// A new entry of a `#[history(..)]` overlaps a stored entry, or ends before the begin. Nothing was written.
    #[error("the interval of the entry overlaps an entry in `{field}` of `{model}`, or does not end after the begin")]
    IntervalOverlap {
        /// The model.
        model: &'static str,
        /// The stored name of the history.
        field: &'static str,
    },
    /// A value differs from the stored document in an `#[immutable]` field. Nothing was written.
    #[error("`{field}` of `{model}` is immutable, and the stored document has another value")]
    ImmutableField {
        /// The model.
        model: &'static str,
        /// The stored name of the field.
        field: &'static str,
    },
    /// The error of a tree write: the write is refused, or some work is still to do.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The error of a bucket operation.
    #[error(transparent)]
    Bucket(#[from] BucketError),
    /// The database changed after the plan was made. Nothing was changed by the plan; make a new plan.
    #[error("`{collection}` has changed since the plan was made: {what}")]
    PlanOutdated {
        /// The collection.
        collection: String,
        /// The part of the database that changed.
        what: String,
    },
    /// The error of a shard key.
    #[error(transparent)]
    Sharding(#[from] ShardingError),
    /// The error of a search index or of a vector index.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The error of an aggregation.
    #[error(transparent)]
    Aggregate(#[from] AggregateError),
    /// The user may not do this (code 13).
    #[error("the user has no right to `{action}`{}", text::on(collection))]
    NotAuthorized {
        /// The privilege, in MongoDB's words: `collMod`, `createIndex`.
        action: &'static str,
        /// The collection; empty for a right on the database.
        collection: String,
    },
    /// Some steps of a plan were not done.
    #[error("{steps} of the plan's steps were not done: {}", reasons.join("; "))]
    ApplyIncomplete {
        /// The number of steps.
        steps: usize,
        /// The reasons, one text for each step.
        reasons: Vec<String>,
    },
    /// Another error of the driver or the server. The text has the number and the name; the field may have values.
    #[error("{}", text::driver(.0))]
    Driver(mongodb::error::Error),
}
