//! Mends: a source's values, written over the older copies of some holders. A holder that its collection refuses, since its
//! validator does not take the document or since it grew too large, is counted, and the others are written. Reaches the server.

use std::slice;

use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::{
    path::CopyPath,
    sweep::{Swept, send_through},
};
use crate::{
    error::{Error, Result},
    executor::{Context, Sent},
};

/// What is written to some holders.
pub(super) struct Mend {
    pub(super) source: Bson,
    pub(super) version: Timestamp,
    /// The copied fields.
    pub(super) document: Document,
    /// The `_id`s of the holders.
    pub(super) holders: Vec<Bson>,
}

/// Documents that the server refused to write.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    pub(crate) documents: u64,
    /// Why it refused the first.
    first: Option<Error>,
}

impl Refused {
    pub(super) fn one(error: Error) -> Self {
        Refused { documents: 1, first: Some(error) }
    }

    pub(crate) fn add(&mut self, other: Refused) {
        self.documents += other.documents;
        self.first = self.first.take().or(other.first);
    }

    /// An error where there is one.
    pub(crate) fn none(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

impl Mend {
    fn statement(&self, path: &CopyPath, holders: &[Bson]) -> Sent {
        let source = Swept { id: &self.source, version: self.version, document: &self.document };
        path.statement(source, doc! { "_id": { "$in": holders } })
    }
}

/// Writes them all but those that the server refuses.
pub(super) async fn mend(context: &Context, path: &CopyPath, mends: &[Mend]) -> Result<Refused> {
    let statements = mends.iter().map(|mend| (mend.statement(path, &mend.holders), true)).collect();
    let stopped = send_through(context, path.holder, statements).await?;
    let mut refused = Refused::default();
    // A statement stops at the first holder that is refused: then they are written one by one.
    for mend in stopped.into_iter().filter_map(|(at, _)| mends.get(at)) {
        let alone = mend.holders.iter().map(|id| (mend.statement(path, slice::from_ref(id)), false)).collect();
        for (_, error) in send_through(context, path.holder, alone).await? {
            refused.add(Refused::one(error));
        }
    }
    Ok(refused)
}
