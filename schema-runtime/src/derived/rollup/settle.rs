//! After a change of children: each parent that one of them left or has is refreshed up to it. Which those are is read from the
//! children's marks. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use super::{
    path::RollupPath,
    refresh::{Accepts, Refreshed},
};
use crate::{error::Result, executor::Context};

impl RollupPath {
    /// Refreshes up the parents of the children with this mark. `moved`: those that they left, too.
    pub(super) async fn settle(&self, context: &Context, mark: ObjectId, moved: bool) -> Result<()> {
        let child = self.child.collection;
        if moved {
            let of_mark = doc! { format!("{}.mark", self.left()): mark };
            let left = context.distinct(child, format!("{}.parent", self.left()), of_mark).await?;
            for parent in left.iter().filter(|parent| **parent != Bson::Null) {
                self.refresh(context, parent, Accepts::Own).await?;
            }
            self.pull(context, mark).await?;
        }
        self.refresh_parents(context, &doc! { self.mark(): mark }, Accepts::Any(mark)).await.map(drop)
    }

    /// Refreshes up the parents of these children, and clears the marks of those that have none. What came of each parent.
    pub(super) fn refresh_parents<'a>(
        &'a self,
        context: &'a Context,
        children: &'a Document,
        accepts: Accepts,
    ) -> BoxFuture<'a, Result<Vec<Refreshed>>> {
        Box::pin(async move {
            // A mark of a client that was killed a moment ago may not be on a majority yet. What is written for it is.
            let newest = context.newest();
            let parents = newest.distinct(self.child.collection, self.reference.to_owned(), children.clone()).await?;
            let mut all = Vec::new();
            for parent in parents {
                let refreshed = match parent {
                    Bson::Null => Refreshed::NoParent,
                    _ => self.refresh(context, &parent, accepts).await?,
                };
                if refreshed == Refreshed::NoParent {
                    self.clear_without_parent(context, children, &parent).await?;
                }
                all.push(refreshed);
            }
            if self.optional {
                let mut filter = children.clone();
                filter.insert(self.reference, doc! { "$exists": false });
                self.clear(context, filter).await?;
            }
            Ok(all)
        })
    }

    /// Clears the marks of children whose parent is not there: those that they had when they were read.
    async fn clear_without_parent(&self, context: &Context, children: &Document, parent: &Bson) -> Result<()> {
        let mut filter = children.clone();
        filter.insert(self.reference, doc! { "$eq": parent });
        let is_of_one = matches!(children.get(self.mark()), Some(Bson::ObjectId(_)));
        if !is_of_one {
            let marks = context.newest().distinct(self.child.collection, self.mark(), filter.clone()).await?;
            filter.insert(self.mark(), doc! { "$in": marks });
        }
        self.clear(context, filter).await
    }

    /// Takes out the entries of the parents that were left by the move with this mark.
    pub(super) async fn pull(&self, context: &Context, mark: ObjectId) -> Result<()> {
        let filter = doc! { format!("{}.mark", self.left()): mark };
        self.update_children(context, filter, doc! { "$pull": { self.left(): { "mark": mark } } }).await
    }
}
