//! After a change of children: each parent that one of them left or has is brought up to it. Which those are is read from the
//! children's marks. Reaches the server.

use mongodb::bson::{Bson, doc, oid::ObjectId};

use super::{
    bring::{Brought, Way},
    path::RollupPath,
};
use crate::{error::Result, executor::Context};

impl RollupPath {
    /// Brings up the parents of the children with this mark. `moved`: those that they left, too.
    pub(super) async fn settle(&self, context: &Context, mark: ObjectId, moved: bool) -> Result<()> {
        let child = self.child.collection;
        if moved {
            let of_mark = doc! { format!("{}.mark", self.left()): mark };
            let left = context.distinct(child, format!("{}.parent", self.left()), of_mark).await?;
            for parent in left.iter().filter(|parent| **parent != Bson::Null) {
                self.bring(context, parent, Way::Own).await?;
            }
            self.pull(context, mark).await?;
        }
        for parent in context.distinct(child, self.reference.to_owned(), doc! { self.mark(): mark }).await? {
            let brought = match parent {
                Bson::Null => Brought::NoParent,
                _ => self.bring(context, &parent, Way::Any(mark)).await?,
            };
            if brought == Brought::NoParent {
                self.clear(context, doc! { self.reference: { "$eq": parent }, self.mark(): mark }).await?;
            }
        }
        if self.optional {
            self.clear(context, doc! { self.reference: { "$exists": false }, self.mark(): mark }).await?;
        }
        Ok(())
    }

    /// Takes out the entries of the parents that were left by the move with this mark.
    pub(super) async fn pull(&self, context: &Context, mark: ObjectId) -> Result<()> {
        let filter = doc! { format!("{}.mark", self.left()): mark };
        self.update_children(context, filter, doc! { "$pull": { self.left(): { "mark": mark } } }).await
    }
}
