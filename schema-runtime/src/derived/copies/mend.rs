//! Mends: a source's values, written over the older copies of some holders. A holder that its collection refuses, since its
//! validator does not take the document or since it grew too large, is counted, and the others are written. Reaches the server.

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
    fn swept(&self) -> Swept<'_> {
        Swept { id: &self.source, version: self.version, document: &self.document }
    }
}

/// Writes them all but those that the server refuses.
pub(super) async fn mend(context: &Context, path: &CopyPath, mends: &[Mend]) -> Result<Refused> {
    let statement = |mend: &Mend| (to(path, mend.swept(), doc! { "$in": &mend.holders }), true);
    let stopped = send_through(context, path.holder, mends.iter().map(statement).collect()).await?;
    let mut refused = Refused::default();
    for mend in stopped.into_iter().filter_map(|(at, _)| mends.get(at)) {
        refused.add(one_by_one(context, path, mend.swept(), &mend.holders).await?);
    }
    Ok(refused)
}

/// The same for holders one of which was refused: a statement stops there.
pub(super) async fn one_by_one(
    context: &Context,
    path: &CopyPath,
    source: Swept<'_>,
    holders: &[Bson],
) -> Result<Refused> {
    let alone = holders.iter().map(|id| (to(path, source, doc! { "$eq": id }), false)).collect();
    let mut refused = Refused::default();
    for (_, error) in send_through(context, path.holder, alone).await? {
        refused.add(Refused::one(error));
    }
    Ok(refused)
}

/// The sweep of a source, for the holders with such an `_id`.
fn to(path: &CopyPath, source: Swept<'_>, ids: Document) -> Sent {
    Sent { by_id: true, ..path.statement(source, doc! { "_id": ids }) }
}
