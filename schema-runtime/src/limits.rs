//! The limits of writes: how much a transaction, a lane, a chunk, a fold or a command holds. A limit of the server
//! names its place in the manual of MongoDB. A limit that a bench has chosen names the bench.
//!
//! `cargo bench -p schema-tests --bench rollups -- limits` compares values of [`TRANSACTION_DOCUMENTS`].

use std::time::Duration;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

// Commands, as the server takes them.

/// The most bytes of a document (MongoDB limits, "BSON Document Size").
pub(crate) const DOCUMENT_BYTES: usize = 16 * MIB;

/// The most writes of a command (`maxWriteBatchSize` of every server since 3.6).
pub(crate) const COMMAND_WRITES: usize = 100_000;

/// The most bytes of the documents of an `insert`: the bytes of a message (`maxMessageSizeBytes`, 48,000,000), less 64
/// KiB for the rest of the command.
pub(crate) const INSERT_BYTES: usize = 48_000_000 - 64 * KIB;

/// The most bytes of the writes of an `update` or a `delete`: the writes are a document, at most 16 MiB. The server
/// allows 16 KiB more for the rest of the command.
pub(crate) const UPDATE_BYTES: usize = 16 * MIB;

/// The bytes of a write in a command beside the write itself: the position as a name, with the type.
pub(crate) const WRITE_ENTRY_BYTES: usize = 8;

/// The most statements of a command where this crate may choose the number: as many as [`TRANSACTION_DOCUMENTS`].
pub(crate) const COMMAND_STATEMENTS: usize = TRANSACTION_DOCUMENTS;

/// About the most bytes of these statements: as many as [`TRANSACTION_BYTES`], less than [`UPDATE_BYTES`].
pub(crate) const COMMAND_BYTES: usize = TRANSACTION_BYTES;

// Reads.

/// The number of skipped documents above which a page by number is reported. The number is a choice of this crate.
pub(crate) const SKIPPED_DOCUMENTS: u64 = 1_000;

// Transactions that this crate itself begins.

/// The most documents that a transaction writes, where the write may be several transactions (MongoDB manual,
/// "Production Considerations: Transactions", "no more than 1,000 documents should be modified within a transaction").
/// Row `limits` of `--bench rollups` compares other numbers.
pub(crate) const TRANSACTION_DOCUMENTS: usize = 1_000;

/// The most documents of a large update or delete that are sorted by parent before the documents are divided into
/// transactions. Rows `delete_many` of `--bench rollups`.
pub(crate) const SORTED_DOCUMENTS: usize = 20 * TRANSACTION_DOCUMENTS;

/// About the most bytes of the documents that a transaction inserts, where the write may be several transactions. A
/// transaction of 60,000 documents of 1 KB fails (codes 388, 251, 112: the cache of the server).
pub(crate) const TRANSACTION_BYTES: usize = 12 * MIB;

/// The time during which a failed transaction is tried again, as in the specification of the drivers.
pub(crate) const TRANSACTION_TIME: Duration = Duration::from_secs(120);

/// How often a write of this crate is tried again in a new transaction after another failure than a conflict: a lost
/// connection, an election. Drivers send a plain write once more.
pub(crate) const TRANSACTION_FAILURES: u32 = 4;

/// How often a transaction that other writes wait for is tried again after a conflict. A rollup leaves the differences
/// earlier, at the attempt after [`APPLYING_ATTEMPTS`].
pub(crate) const TRANSACTION_CONFLICTS: u32 = 4;

// Lanes: writes of one process that share a transaction.

/// The most writes of a transaction of a lane. Rows of `--bench rollups` with 32 writers measure lanes.
pub(crate) const LANE_WRITES: usize = 500;

/// About the most bytes of the writes of a transaction of a lane.
pub(crate) const LANE_BYTES: usize = 4 * MIB;

// Effects.

/// The most documents whose presence a command asks for.
pub(crate) const ASKED_IDS: usize = 1_000;

// Rollups.

/// The most parents that a command reads, or a list of statements writes.
pub(crate) const ROLLUP_PARENTS: usize = TRANSACTION_DOCUMENTS;

/// The most parents in a command that asks for the parents with a value: each parent has a separate condition in an
/// `$or`.
pub(crate) const ASKED_PARENTS: usize = 200;

/// The most elements of subsets that are compared together.
pub(crate) const COMPARED_ELEMENTS: usize = 20_000;

/// The elements of a subset that a difference holds in any case.
pub(crate) const DIFFERENCE_ELEMENTS: usize = 50;

/// The most bytes of the elements of a subset in a difference, where the elements are more than
/// [`DIFFERENCE_ELEMENTS`].
pub(crate) const DIFFERENCE_BYTES: usize = 256 * KIB;

/// The attempts of a transaction that apply differences. A later attempt leaves all differences.
pub(crate) const APPLYING_ATTEMPTS: u64 = 2;

/// The time after a write conflict during which the differences of a parent are left.
pub(crate) const HOT_TIME: Duration = Duration::from_millis(500);

/// The most parents that are remembered before cooled parents are forgotten.
pub(crate) const HOT_PARENTS: usize = 10_000;

/// The most left differences that a transaction folds. Row `fold` of `--bench rollups`.
pub(crate) const FOLDED_DIFFERENCES: usize = 2_000;

/// The most parents that a transaction folds, and the most parents in a filter that asks for left differences by ranges
/// of the `_id`: the server takes seconds for a filter of a thousand ranges. Row `fold` of `--bench rollups`.
pub(crate) const FOLDED_PARENTS: usize = 100;

/// The most left differences of a path that are read to see which parents have left differences.
pub(crate) const FEW_LEFT: usize = 1_000;

/// The age of a difference in milliseconds when the difference of a missing parent is dropped: by then each transaction
/// has ended that may have inserted the parent without a look at the child. The server ends transactions after 60
/// seconds (`transactionLifetimeLimitSeconds`).
pub(crate) const DIFFERENCE_AGE: i64 = 60 * 60 * 1_000;

// Walks over documents, as of `verify` and `repair`.

/// The most documents that a walk reads together, where no other limit of this file is smaller.
pub(crate) const CHUNK_DOCUMENTS: u32 = 1_000;

/// About the most bytes of these documents.
pub(crate) const CHUNK_BYTES: usize = MIB;

// Copies.

/// The most holders that a command of a sweep writes, where the caller sets no throttle.
pub(crate) const SWEEP_HOLDERS: u32 = 5_000;

/// How many chunks of a sweep are written at a time, where no pause is asked for: the server writes one chunk while the
/// next is looked for. Rows of `--bench copies`.
pub(crate) const SWEEPS_AT_A_TIME: usize = 2;

/// The most copies that a source propagates in the transaction of its write.
pub(crate) const TRANSACTION_COPIES: u64 = TRANSACTION_DOCUMENTS as u64;

/// The most sources that a command asks for.
pub(crate) const ASKED_SOURCES: usize = 1_000;

/// The most marked sources that are propagated together.
pub(crate) const PROPAGATED_SOURCES: u32 = 200;

/// The most inserted sources that a command asks for holders.
pub(crate) const INSERTED_SOURCES: usize = 1_000;

/// The most marked sources that `recover` touches together.
pub(crate) const RECOVERED_SOURCES: u32 = 200;

/// The most marked holders that are checked again together.
pub(crate) const SETTLED_HOLDERS: u32 = 500;

/// About the most bytes of these holders: a holder may refer to many sources.
pub(crate) const SETTLED_BYTES: usize = MIB;

/// The most marks of a place that wait for a clear.
pub(crate) const WAITING_CLEARS: usize = 64;

/// The fewest holders of an intent. With fewer holders, a mark in each holder costs less than an intent: an intent is a
/// write that a majority must have.
pub(crate) const INTENT_FEWEST: usize = 50;

/// The most holders of an intent.
pub(crate) const INTENT_HOLDERS: usize = 10_000;

/// About the most bytes of the `_id`s of these holders.
pub(crate) const INTENT_BYTES: usize = 4 * MIB;

/// About the most bytes of sources that a survey remembers.
pub(crate) const KNOWN_BYTES: usize = 8 * MIB;

/// The bytes of a remembered source beside its own.
pub(crate) const KNOWN_ENTRY_BYTES: usize = 500;

/// The most events of a change stream that come together.
pub(crate) const WATCHED_EVENTS: u32 = 1_000;

// Links.

/// The most documents that a survey reads together, and the most suspects that the survey reads again together.
pub(crate) const SURVEYED_DOCUMENTS: usize = 500;

/// About the most references of these documents.
pub(crate) const SURVEYED_REFERENCES: u64 = 20_000;

/// The fewest documents that a survey reads together, with any number of references.
pub(crate) const SURVEYED_FEWEST: u64 = 50;

// Trees.

/// The most documents of a tree that a command reads.
pub(crate) const TREE_DOCUMENTS: usize = 1_000;

/// The most documents of a tree that a survey reads together.
pub(crate) const SURVEYED_TREE_DOCUMENTS: u32 = 500;

/// The most short documents that a move rewrites together. A transaction of these is as large as a transaction of a
/// thousand documents of 4 KiB. Rows of `--bench trees`.
pub(crate) const MOVED_SHORT_DOCUMENTS: u64 = 10_000;

/// About the most bytes of the documents that a move rewrites together, where the documents are more than
/// [`TRANSACTION_DOCUMENTS`].
pub(crate) const MOVED_BYTES: u64 = 4 * MIB as u64;

/// The fewest documents that a move rewrites together, where other writes change the documents all the time.
pub(crate) const MOVED_FEWEST: u64 = 50;

/// The documents by which a move judges the length of all.
pub(crate) const MOVED_SAMPLE: i64 = 100;

// Rules of deletes.

/// The most parents that a delete marks together.
pub(crate) const MARKED_PARENTS: usize = 1_000;

/// The most parents that a command reads, and the most children that a command takes back.
pub(crate) const RULED_PARENTS: usize = 1_000;

/// The most children that a repair looks at together.
pub(crate) const REPAIRED_CHILDREN: u32 = 500;

/// How many transactions of a delete are under way at a time, where the transactions write nothing but the children.
pub(crate) const DELETES_AT_A_TIME: usize = 3;

// Slugs.

/// The most slugs that a command asks for, and the most documents that a repair reads together.
pub(crate) const ASKED_SLUGS: usize = 1_000;

// Buckets.

/// About the most bytes of children that a transaction moves.
pub(crate) const BUCKET_STEP_BYTES: usize = 4 * MIB;

// Bulk writes and upserts.

/// The most documents of a bulk or an upsert that are looked at together.
pub(crate) const LOOKED_AT_DOCUMENTS: usize = 1_000;
