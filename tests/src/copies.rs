//! The shared parts of the proofs of denormalized copies: models that hold copies and are copied in every way, the
//! writes of a program, and a check of the raw documents. The check uses nothing of the crate.

mod check;
mod holder;
mod models;
mod source;
mod watch;

use std::ops::Range;

use mongodb::Database;
use schema_runtime::{Error, Executor, Result, Schema, prelude::*, transaction};

pub use check::{dangling, intents, marks, stale};
pub use holder::{CardWrite, ItemWrite};
pub use models::{Card, Item, Owner, Tag, TagRef};
pub use source::SourceWrite;
pub use watch::Watch;

/// How many sources of each kind a program has.
pub const SOURCES: i64 = 3;
/// How many holders of each kind a program has.
pub const HOLDERS: i64 = 4;

/// Creates the collections, validators and indexes of the models in a database, and returns the schema.
pub async fn prepare(db: &Database) -> Schema {
    let schema = schema![Tag, Owner, Item, Card];
    schema.plan(db).await.expect("a plan").apply(db).await.expect("the plan applies");
    schema
}

/// The documents of a program: the documents with an `_id` in the range of the program. Programs with different ranges
/// share a database.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub i64);

impl Place {
    /// Returns the `_id` of a source or a holder of a kind, from its number in the program.
    pub fn id(self, number: i64) -> i64 {
        self.0 * 100 + number
    }

    /// Returns the `_id`s of all documents of the program.
    pub fn range(self) -> Range<i64> {
        self.0 * 100..(self.0 + 1) * 100
    }

    /// Writes two sources of each kind, two items and a card.
    pub async fn begin(self, db: &Database) -> Result<()> {
        for number in 0..2 {
            SourceWrite::Insert.of_tag(self, number, db).await?;
            SourceWrite::Insert.of_owner(self, number, db).await?;
        }
        ItemWrite::Insert(0, 1).run(self, 0, db).await?;
        ItemWrite::Insert(1, 0).run(self, 1, db).await?;
        CardWrite::Insert(0).run(self, 0, db).await
    }
}

/// A write of a program; the number selects the document.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// A write of a source. A single transaction propagates the copies.
    Tag(i64, SourceWrite),
    /// A write of a source. The copies are propagated in chunks.
    Owner(i64, SourceWrite),
    /// A write of a holder of tags and owners.
    Item(i64, ItemWrite),
    /// A write of a holder of tags.
    Card(i64, CardWrite),
    /// A transaction: all of the writes or none.
    Transaction(Vec<Write>),
}

impl Write {
    /// Runs the write.
    ///
    /// # Errors
    /// The errors of the write.
    pub async fn run(&self, place: Place, db: &Database) -> Result<()> {
        match self {
            Write::Transaction(writes) => {
                transaction(db, |tx| async move {
                    for write in writes {
                        write.alone(place, &tx).await?;
                    }
                    Ok(())
                })
                .await
            }
            write => write.alone(place, db).await,
        }
    }

    async fn alone(&self, place: Place, db: &impl Executor) -> Result<()> {
        // The futures are boxed: the futures of all writes in a single future are large.
        match self {
            Write::Tag(number, write) => Box::pin(write.of_tag(place, *number, db)).await,
            Write::Owner(number, write) => Box::pin(write.of_owner(place, *number, db)).await,
            Write::Item(number, write) => Box::pin(write.run(place, *number, db)).await,
            Write::Card(number, write) => Box::pin(write.run(place, *number, db)).await,
            Write::Transaction(_) => Err(Error::OutsideTransaction),
        }
    }

    /// Returns true when the write stores values that it read before. Such a write may undo a concurrent write.
    pub fn may_take_back(&self) -> bool {
        match self {
            Write::Tag(_, write) | Write::Owner(_, write) => *write == SourceWrite::ReplacePlain,
            Write::Transaction(writes) => writes.iter().any(Write::may_take_back),
            _ => false,
        }
    }

    /// Returns true when the write sets references of many documents, or in a bulk. An older copy may then stay in the
    /// document until the write has checked the source.
    pub fn may_put_older(&self) -> bool {
        match self {
            Write::Item(_, write) => {
                matches!(write, ItemWrite::OwnerMany(_) | ItemWrite::MixedMany(..) | ItemWrite::Bulk(..))
            }
            Write::Card(_, write) => matches!(write, CardWrite::TagMany(_)),
            Write::Transaction(writes) => writes.iter().any(Write::may_put_older),
            _ => false,
        }
    }

    /// Returns true when the error says that the database does not hold a document that the write needs.
    pub fn is_refused(&self, error: &Error) -> bool {
        match self {
            // An upsert of a reference to a missing source has no copies to insert, and the validator requires the
            // copies.
            Write::Item(_, ItemWrite::UpsertByFilter(_)) if matches!(error, Error::DocumentInvalid { .. }) => true,
            Write::Transaction(writes) if matches!(error, Error::DocumentInvalid { .. }) => {
                writes.iter().any(|write| write.is_refused(error))
            }
            _ => is_refused(error),
        }
    }

    /// Returns true when the write leaves its copies to a worker.
    pub fn is_later(&self) -> bool {
        match self {
            Write::Tag(_, write) | Write::Owner(_, write) => *write == SourceWrite::Later,
            Write::Transaction(writes) => writes.iter().any(Write::is_later),
            _ => false,
        }
    }
}

/// Returns true when the stored documents refused the write: a document is missing, a document exists already, or a
/// source is gone.
fn is_refused(error: &Error) -> bool {
    match error {
        Error::NotFound { .. } | Error::DuplicateKey { .. } | Error::DanglingReference { .. } => true,
        Error::InsertMany { source, .. } | Error::Bulk { source, .. } => is_refused(source),
        _ => false,
    }
}
