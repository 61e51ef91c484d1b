//! What the proofs of denormalized copies share: models that hold and are copied in every way, the writes of them that a
//! program is made of, and a check that asks the raw documents. The check uses nothing of the crate.

mod check;
mod holder;
mod models;
mod source;
mod watch;

use std::ops::Range;

use mongodb::Database;
use schema_runtime::{Error, Result, executor::Executor, prelude::*, schema::Schema, transaction};

pub use check::{dangling, intents, marks, stale};
pub use holder::{CardWrite, ItemWrite};
pub use models::{Card, Item, Owner, Tag, TagRef};
pub use source::SourceWrite;
pub use watch::Watch;

/// How many sources of each kind, and how many holders of each kind, a program has.
pub const SOURCES: i64 = 3;
/// The same of holders.
pub const HOLDERS: i64 = 4;

/// The models, with what they need in a database.
pub async fn prepare(db: &Database) -> Schema {
    let schema = schema![Tag, Owner, Item, Card];
    schema.plan(db).await.expect("a plan").apply(db).await.expect("the plan applies");
    schema
}

/// The documents of one program: those whose `_id`s are in its range, so that programs share a database.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub i64);

impl Place {
    /// The `_id` of a source or a holder of a kind, from its number in the program.
    pub fn id(self, number: i64) -> i64 {
        self.0 * 100 + number
    }

    /// All of them.
    pub fn range(self) -> Range<i64> {
        self.0 * 100..(self.0 + 1) * 100
    }

    /// Two sources of each kind are there, and a holder of each.
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

/// One write of a program; the number says of which document.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// Of a source whose copies one transaction propagates.
    Tag(i64, SourceWrite),
    /// Of a source whose copies are propagated in chunks.
    Owner(i64, SourceWrite),
    /// Of a holder of both.
    Item(i64, ItemWrite),
    /// Of a holder of tags.
    Card(i64, CardWrite),
    /// All of these or none.
    Transaction(Vec<Write>),
}

impl Write {
    /// Runs it.
    ///
    /// # Errors
    /// Those of the write.
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
        // In boxes: the futures of all writes in one are large.
        match self {
            Write::Tag(number, write) => Box::pin(write.of_tag(place, *number, db)).await,
            Write::Owner(number, write) => Box::pin(write.of_owner(place, *number, db)).await,
            Write::Item(number, write) => Box::pin(write.run(place, *number, db)).await,
            Write::Card(number, write) => Box::pin(write.run(place, *number, db)).await,
            Write::Transaction(_) => Err(Error::OutsideTransaction),
        }
    }

    /// Whether it writes values that it has read before, and so may take back what others wrote meanwhile.
    pub fn may_take_back(&self) -> bool {
        match self {
            Write::Tag(_, write) | Write::Owner(_, write) => *write == SourceWrite::ReplacePlain,
            Write::Transaction(writes) => writes.iter().any(Write::may_take_back),
            _ => false,
        }
    }

    /// Whether it sets references of many documents, or in a bulk: then an older copy may stand there until the write has looked.
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

    /// Whether this error says that the database does not hold what the write needs.
    pub fn is_refused(&self, error: &Error) -> bool {
        match self {
            // An upsert of a reference to nothing has no copies to insert, and the validator asks for them.
            Write::Item(_, ItemWrite::UpsertByFilter(_)) if matches!(error, Error::DocumentInvalid { .. }) => true,
            Write::Transaction(writes) if matches!(error, Error::DocumentInvalid { .. }) => {
                writes.iter().any(|write| write.is_refused(error))
            }
            _ => is_refused(error),
        }
    }

    /// Whether it leaves its copies to a worker.
    pub fn is_later(&self) -> bool {
        match self {
            Write::Tag(_, write) | Write::Owner(_, write) => *write == SourceWrite::Later,
            Write::Transaction(writes) => writes.iter().any(Write::is_later),
            _ => false,
        }
    }
}

/// Whether it was refused by what the database holds: a document is not there, or there already, or its source is gone.
fn is_refused(error: &Error) -> bool {
    match error {
        Error::NotFound { .. } | Error::DuplicateKey { .. } | Error::DanglingReference { .. } => true,
        Error::InsertMany { source, .. } | Error::Bulk { source, .. } => is_refused(source),
        _ => false,
    }
}
