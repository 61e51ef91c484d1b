//! Every way an operation can fail, as causes that a program can match: see [the page](crate::manual::errors).

mod bucket;
mod cause;
pub(crate) mod code;
mod facts;
pub(crate) mod server;
mod stored;
mod text;
mod tree;
mod validation;

use mongodb::bson::Bson;

pub use bucket::BucketError;
pub(crate) use cause::Held;
pub use cause::{BoundUnit, ExceededBound, FailedRule, Limit};
pub use facts::{ErrorKind, Result};
pub use stored::StoredDocument;
pub use tree::TreeError;

/// Why an operation failed. As a text (`Display`) it holds names and numbers and no value of a document, so that it may go to
/// a log; its fields and `Debug` may hold values, and no error holds a connection string. [The page](crate::manual::errors) says what to do.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No document matched, where one was asked for.
    #[error("no document of `{model}` in `{collection}` matches")]
    NotFound {
        /// The model.
        model: &'static str,
        /// Its collection.
        collection: &'static str,
    },

    /// A document was changed since the value was read (`#[version]`). Nothing was written: read, change and save it again.
    #[error("a document of `{model}` in `{collection}` is not the one that was read: its version is {}, not {expected}", text::version(*found))]
    VersionConflict {
        /// The model.
        model: &'static str,
        /// Its collection.
        collection: &'static str,
        /// The version that the value holds.
        expected: i64,
        /// The version that is stored, if the document has one.
        found: Option<i64>,
    },

    /// A value is larger than its declared bound. Nothing was written.
    #[error("{} of `{model}` has {size} {unit}, its bound is {bound}{}", text::place(field), text::others(others))]
    BoundExceeded {
        /// The model.
        model: String,
        /// The stored path of the value, with positions of elements: `addresses.3.tags`; `*` for a key of a map or an element that an update adds.
        field: String,
        /// The most it may have.
        bound: u64,
        /// How much it has.
        size: u64,
        /// What is counted.
        unit: BoundUnit,
        /// The other values of the document that are larger than their bounds, as far as they are known: an insert knows all.
        others: Vec<ExceededBound>,
    },

    /// A document is larger than MongoDB takes, or an update would make it so: nothing of it was written; of many, others may be.
    #[error("a document of `{model}` {}, the most is {limit}", text::size(*size))]
    DocumentTooLarge {
        /// The model.
        model: &'static str,
        /// Its bytes as BSON; `None` where the server does not say how many an update would make them.
        size: Option<usize>,
        /// The most bytes it may have: 16 MiB.
        limit: usize,
    },

    /// The server's validator refused a document (code 121) for another reason than a bound. Nothing was written.
    #[error("a document of `{collection}` does not pass the collection's validator: {}", text::failures(failures))]
    DocumentInvalid {
        /// The collection.
        collection: String,
        /// Which rules of which fields; none when the server does not say.
        failures: Vec<FailedRule>,
    },

    /// A unique index has these keys already (code 11000). Nothing was written.
    #[error("`{collection}` has a document with the same keys in its unique index `{index}`")]
    DuplicateKey {
        /// The collection.
        collection: String,
        /// The name of the index.
        index: String,
        /// The stored paths of its fields, in order; empty where the index is none of the model's.
        fields: Vec<String>,
        /// The key that is there already, as the server writes it, or nothing: `{ email: ".." }`. A value, and not in the error's text.
        key: String,
    },

    /// An insert of many documents stopped on its way. What was inserted before stays, unless it ran in a transaction.
    #[error("{}: {source}", text::stopped(collection, *inserted, *index))]
    InsertMany {
        /// The collection.
        collection: &'static str,
        /// How many documents are known to be stored: the first ones, in the order they were given.
        inserted: usize,
        /// The position of the refused document; `None` for a lost connection: those after `inserted` may or may not be stored.
        index: Option<usize>,
        /// Why.
        source: Box<Error>,
    },

    /// A bulk write is not complete.
    #[error("{}: {source}", text::bulk(collection, *index, [*done, *failed, *not_tried, *unknown]))]
    Bulk {
        /// The collection.
        collection: &'static str,
        /// The position of the first write that failed; `None` when the failure is not about one write, as a lost connection.
        index: Option<usize>,
        /// How many writes are done.
        done: usize,
        /// How many were refused.
        failed: usize,
        /// How many were not tried.
        not_tried: usize,
        /// How many were sent and not answered: they may be done or not.
        unknown: usize,
        /// Why.
        source: Box<Error>,
    },

    /// A stored document does not fit the struct.
    #[error("{} of `{collection}` does not fit `{model}`{}", text::document(id), text::misfit(path, message))]
    Decode {
        /// The collection.
        collection: String,
        /// The struct.
        model: &'static str,
        /// The document's `_id`, if it has one.
        id: Box<Bson>,
        /// The path of the field, empty when it is the document itself.
        path: String,
        /// What serde says, which may repeat the value.
        message: String,
    },

    /// A value cannot be written as BSON, as a `u64` above `i64::MAX`. Nothing was sent.
    #[error("a value cannot be written as BSON{}", text::unwritable(message))]
    Encode {
        /// What serde says, which may repeat the value.
        message: String,
    },

    /// A filter that the server has no words for.
    #[error("this filter cannot be sent: {message}")]
    Filter {
        /// Why, and what to write.
        message: &'static str,
    },

    /// A query that cannot be sent, because its parts contradict each other.
    #[error("this query cannot be sent: {message}")]
    Query {
        /// Why, and what to write.
        message: &'static str,
    },

    /// A reference names a document that is not there.
    #[error("`{relation}`{} refers to {} `{collection}` does not have", text::of(holder), text::which(id))]
    DanglingReference {
        /// The relation, `LogMsg.host`.
        relation: String,
        /// The model that refers, `LogMsg`.
        model: &'static str,
        /// Its field that refers, `host`; of a copy the stored path of the reference, `parts.partId`.
        field: String,
        /// The collection that should have the document.
        collection: &'static str,
        /// The `_id` that no document has.
        id: Box<Bson>,
        /// The `_id` of the document that refers to it; null where a write does not say which that is.
        holder: Box<Bson>,
    },

    /// A document is not deleted, because others refer to it by a relation with `on_delete = restrict`. Nothing was written.
    #[error("the document is not deleted: others refer to it by `{relation}`, which has `on_delete = restrict`")]
    DeleteRestricted {
        /// The relation, `LogMsg.host`.
        relation: String,
        /// The `_id` of one that refers to it.
        by: Box<Bson>,
    },

    /// A value that is inserted holds something in the mirror of a `two_way` relation, which the writes of the far side keep. Nothing was written.
    #[error("`{field}` of `{model}` mirrors `{of}`, and is empty in a value that is inserted: write the far side")]
    MirrorWritten {
        /// The model.
        model: &'static str,
        /// The field that mirrors.
        field: &'static str,
        /// The relation, `Task.owner`.
        of: String,
    },

    /// The write is done and stays, and not all of its copies have followed: [`recover`](crate::Schema::recover) propagates them. Do not write again.
    #[error("the write to `{collection}` is done, and its copies are not: {source}; `recover` propagates them")]
    CopiesPending {
        /// The collection that was written.
        collection: &'static str,
        /// The document that the call would have given: see [`Error::document`].
        document: StoredDocument,
        /// Why.
        source: Box<Error>,
    },

    /// An update that cannot be sent. Nothing was written.
    #[error("this update cannot be sent: {message}")]
    Update {
        /// Why, and what to write.
        message: String,
    },

    /// A join is not complete: some references dangle or some documents do not fit.
    #[error("the join of `{field}` is not complete: {missing} missing, {failed} that do not fit")]
    Incomplete {
        /// The relation, `Product.parts`.
        field: String,
        /// How many references have no document.
        missing: usize,
        /// How many documents could not be decoded.
        failed: usize,
    },

    /// A parent, or the element that refers to a child, was looked up in a load that it was not part of.
    #[error("`{field}` was not loaded for this: the parent, or what the element refers to, was not part of the load")]
    NotLoaded {
        /// The relation, `Product.parts`.
        field: String,
    },

    /// A page cursor that is damaged or belongs to another query.
    #[error("this page token cannot be used: {reason}")]
    PageToken {
        /// Why.
        reason: &'static str,
    },

    /// The plain database was used inside the callback of a transaction, where it would write past it.
    #[error("the plain database is used inside a transaction: use the handle that the callback is given")]
    OutsideTransaction,

    /// The server is a standalone, which has no transactions.
    #[error("transactions need a replica set, and this server is a standalone: start it with `--replSet`, initiate it")]
    NotReplicaSet,

    /// The server is older than this crate supports.
    #[error("the server is MongoDB {found}; this crate needs 6.0 or newer")]
    ServerTooOld {
        /// The server's version.
        found: String,
    },

    /// The connection string is wrong. The string itself is not repeated: it may hold a password.
    #[error("the connection string is not valid: {message}")]
    ConnectionString {
        /// What is wrong.
        message: String,
    },

    /// No server answers, or one that did went away: any operation may end so.
    #[error("no MongoDB server answers{}: {message}", text::at_address(address))]
    Connection {
        /// The hosts that were tried, without user or password; empty when it is not [`connect`](crate::connect) that failed.
        address: String,
        /// What the driver says.
        message: String,
        /// Whether the command may have reached a server. A write may then have been done, or not.
        sent: bool,
    },

    /// Another write changes the same documents at the same time (code 112). Nothing of this one is done, nor of its transaction.
    #[error("another write changes the same documents at the same time, and nothing of this one is done")]
    WriteConflict,

    /// A time limit ended the operation.
    #[error("it took too long: {limit} was reached")]
    TimedOut {
        /// Which limit.
        limit: Limit,
    },

    /// The embedded server could not be started.
    #[error("no MongoDB server could be started: {message}")]
    Embedded {
        /// What was tried, and what to install or set.
        message: String,
    },

    /// Two definitions cannot be in one database: two models name one collection, or two indexes of a model one name.
    #[error("the definitions of `{collection}` do not agree: {message}")]
    DefinitionConflict {
        /// The collection.
        collection: String,
        /// What does not agree.
        message: String,
    },

    /// An index is in the way of another (code 85 or 86). Nothing was changed.
    #[error("the index `{index}` of `{collection}` cannot be made: {message}")]
    IndexConflict {
        /// The collection.
        collection: String,
        /// The index that was to be made.
        index: String,
        /// What the server says.
        message: String,
    },

    /// An entry of a `#[history(..)]` overlaps one that it has, or does not end after it begins. Nothing was written.
    #[error("the interval of the entry overlaps one that `{field}` of `{model}` has, or does not end after it begins")]
    IntervalOverlap {
        /// The model.
        model: &'static str,
        /// The stored name of the history.
        field: &'static str,
    },

    /// What a tree refuses, or has still to do.
    #[error(transparent)]
    Tree(#[from] TreeError),

    /// What buckets refuse.
    #[error(transparent)]
    Bucket(#[from] BucketError),

    /// The database is no longer as it was when the plan was made. Nothing was changed; make a new plan.
    #[error("`{collection}` has changed since the plan was made: {what}")]
    PlanOutdated {
        /// The collection.
        collection: String,
        /// What is not as it was.
        what: String,
    },

    /// A write of one document does not say on which shard it is: a router could not send it to one. Nothing was sent.
    #[error("a write of one document of `{collection}` asks for no value of {}", text::missing_key(model, fields))]
    ShardKeyMissing {
        /// The model.
        model: &'static str,
        /// Its collection.
        collection: &'static str,
        /// The stored paths that no value is given for.
        fields: Vec<String>,
    },

    /// A document with this `_id` is there, and its shard key is not the value's. Nothing was written: `change_shard_key` moves a document.
    #[error("a document of `{collection}` has this `_id` and another shard key: `{model}::change_shard_key` moves it")]
    ShardKeyDiffers {
        /// The model.
        model: &'static str,
        /// Its collection.
        collection: &'static str,
    },

    /// A cluster refused to give a collection its shard key, or to change it. Nothing was changed.
    #[error("`{command}` of `{collection}` was refused: {message}; a new plan says what it finds in the way")]
    ShardingRefused {
        /// The collection.
        collection: String,
        /// The command.
        command: &'static str,
        /// The server's words.
        message: String,
    },

    /// The user may not do this (code 13).
    #[error("the user has no right to `{action}`{}", text::on(collection))]
    NotAuthorized {
        /// The privilege, in MongoDB's words: `collMod`, `createIndex`.
        action: &'static str,
        /// The collection; empty when it is the database.
        collection: String,
    },

    /// Some steps of a plan were not done.
    #[error("{steps} of the plan's steps were not done: {}", reasons.join("; "))]
    ApplyIncomplete {
        /// How many.
        steps: usize,
        /// Why, one text for each.
        reasons: Vec<String>,
    },

    /// Another error of the driver or the server. The text has the server's number and its name; the driver's error may repeat values.
    #[error("{}", text::driver(.0))]
    Driver(mongodb::error::Error),
}
