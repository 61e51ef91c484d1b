//! New parents: their `_id`s may have been used before, so each is inserted closed, and opened when it is known what children it
//! has. Reaches the server.

use std::collections::HashSet;

use mongodb::bson::{Bson, doc, oid::ObjectId};

use super::{path::RollupPath, recompute::Recompute, refresh::Accepts, writing::CHUNK};
use crate::{
    error::{Result, server},
    executor::{Context, Sent},
    key::Key,
};

impl RollupPath {
    /// Opens the new parents that have no children, and recomputes the others.
    pub(super) async fn open_inserted(&self, context: &Context, ids: &[Bson], mark: ObjectId) -> Result<()> {
        for ids in ids.chunks(CHUNK) {
            let refer = doc! { self.reference: { "$in": ids } };
            let found = context.distinct(self.child.collection, self.reference.to_owned(), refer).await?;
            let with_children: HashSet<Key> = found.iter().map(Key::of).collect();
            let (with, without): (Vec<&Bson>, Vec<&Bson>) =
                ids.iter().partition(|id| with_children.contains(&Key::of(id)));
            if !without.is_empty() {
                let without: Vec<Bson> = without.into_iter().cloned().collect();
                let filter = doc! { "_id": { "$in": without }, self.closed(): mark };
                let update = doc! { "$unset": { self.closed(): "" } };
                let sent = Sent { filter, update, ..Sent::default() };
                let opened = context.update_many(self.parent.collection, sent).await;
                opened.map_err(|error| server::write(self.parent, error))?;
            }
            for id in with {
                let closed = Recompute { parent: id.clone(), id: mark };
                self.refresh_closed(context, id, Accepts::Own, Some(closed)).await?;
            }
        }
        Ok(())
    }
}
