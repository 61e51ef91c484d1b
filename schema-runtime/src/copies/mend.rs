//! Mends: a source's values, written over the older copies of some holders. A holder that its collection refuses, since its
//! validator does not take the document or since it grew too large, is counted, and the others are written. Reaches the server.

use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::{
    path::CopyPath,
    sweep::{Swept, send_through},
};
use crate::{
    error::Result,
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

impl Mend {
    fn statement(&self, path: &CopyPath, holders: &[Bson]) -> Sent {
        let source = Swept { id: &self.source, version: self.version, document: &self.document };
        path.statement(source, doc! { "_id": { "$in": holders } })
    }
}

/// Writes them all. How many holders were refused.
pub(super) async fn mend(context: &Context, path: &CopyPath, mends: &[Mend]) -> Result<u64> {
    let statements = mends.iter().map(|mend| (mend.statement(path, &mend.holders), true)).collect();
    let refused = send_through(context, path.holder, statements).await?;
    // A statement stops at the first holder that is refused: the others are written one by one.
    let refused = refused.into_iter().filter_map(|at| mends.get(at));
    let alone =
        |mend: &Mend| mend.holders.iter().map(|id| (mend.statement(path, std::slice::from_ref(id)), false)).collect();
    let mut count = 0;
    for statements in refused.map(alone).collect::<Vec<Vec<_>>>() {
        count += send_through(context, path.holder, statements).await?.len() as u64;
    }
    Ok(count)
}
