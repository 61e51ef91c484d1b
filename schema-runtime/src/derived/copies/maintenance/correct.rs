//! Corrections: the values of a source, written over the older copies of some holders. A holder that the server
//! refuses, because of a validator or the size of the document, is counted, and all remaining holders are written.
//! Reaches the server.

use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::{
    derived::{
        copies::{
            stored::path::{CopyPath, Swept},
            write::sweep::{one_by_one, to},
        },
        refused::{Refused, send_through},
    },
    error::Result,
    executor::Context,
};

/// The values for some holders of one source.
pub(in crate::derived::copies) struct Correction {
    pub(in crate::derived::copies) source: Bson,
    pub(in crate::derived::copies) version: Timestamp,
    /// The copied fields.
    pub(in crate::derived::copies) document: Document,
    /// The `_id`s of the holders.
    pub(in crate::derived::copies) holders: Vec<Bson>,
}

impl Correction {
    fn swept(&self) -> Swept<'_> {
        Swept { id: &self.source, version: self.version, document: &self.document }
    }
}

/// Writes all corrections, and returns the holders that the server refuses.
pub(in crate::derived::copies) async fn correct(
    context: &Context,
    path: &CopyPath,
    corrections: &[Correction],
) -> Result<Refused> {
    let statement = |correction: &Correction| (to(path, correction.swept(), doc! { "$in": &correction.holders }), true);
    let stopped = send_through(context, path.holder, corrections.iter().map(statement).collect()).await?;
    let mut refused = Refused::default();
    for correction in stopped.into_iter().filter_map(|(at, _)| corrections.get(at)) {
        refused.add(one_by_one(context, path, correction.swept(), &correction.holders).await?);
    }
    Ok(refused)
}
