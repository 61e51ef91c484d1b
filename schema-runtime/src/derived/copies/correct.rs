//! Corrections: the values of a source, written over the older copies of some holders. A holder that the server refuses, because of a
//! validator or the size of the document, is counted, and all remaining holders are written. Reaches the server.

use mongodb::bson::{Bson, Document, Timestamp, doc};

use super::{
    path::{CopyPath, Swept},
    sweep::{Refused, one_by_one, send_through, to},
};
use crate::{error::Result, executor::Context};

/// The values for some holders of one source.
pub(super) struct Correction {
    pub(super) source: Bson,
    pub(super) version: Timestamp,
    /// The copied fields.
    pub(super) document: Document,
    /// The `_id`s of the holders.
    pub(super) holders: Vec<Bson>,
}

impl Correction {
    fn swept(&self) -> Swept<'_> {
        Swept { id: &self.source, version: self.version, document: &self.document }
    }
}

/// Writes all corrections, and returns the holders that the server refuses.
pub(super) async fn correct(context: &Context, path: &CopyPath, corrections: &[Correction]) -> Result<Refused> {
    let statement = |correction: &Correction| (to(path, correction.swept(), doc! { "$in": &correction.holders }), true);
    let stopped = send_through(context, path.holder, corrections.iter().map(statement).collect()).await?;
    let mut refused = Refused::default();
    for correction in stopped.into_iter().filter_map(|(at, _)| corrections.get(at)) {
        refused.add(one_by_one(context, path, correction.swept(), &correction.holders).await?);
    }
    Ok(refused)
}
