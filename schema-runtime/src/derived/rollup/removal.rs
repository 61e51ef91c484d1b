//! What is marked as deleted goes once its parents are without it. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, doc, oid::ObjectId};

use super::{
    path::{GONE, RollupPath, paths_of_child},
    refresh::{Accepts, Refreshed},
};
use crate::{
    definition::ModelDefinition,
    error::{Error, Result},
    executor::{Context, Sent},
    read::Query,
};

/// The updates that mark what is to be deleted: those that nobody is deleting yet, then those that somebody has begun to.
pub(super) fn statements(definition: &'static ModelDefinition, filter: &Document, mark: ObjectId) -> [Sent; 2] {
    let marks: Document = paths_of_child(definition).iter().map(|path| (path.mark(), Bson::ObjectId(mark))).collect();
    let mut set = doc! { GONE: mark };
    let again = doc! { "$set": set.clone() };
    set.extend(marks);
    let of = |begun: bool| doc! { "$and": [filter.clone(), { GONE: { "$exists": begun } }] };
    [
        Sent { filter: of(false), update: doc! { "$set": set }, ..Sent::default() },
        Sent { filter: of(true), update: again, ..Sent::default() },
    ]
}

/// Deletes what is marked so. Their parents are looked at first; where that does not do, they are recomputed.
pub(super) fn complete<'a>(
    definition: &'static ModelDefinition,
    context: &'a Context,
    mark: ObjectId,
) -> BoxFuture<'a, Result<u64>> {
    Box::pin(async move {
        let paths = paths_of_child(definition);
        let gone = doc! { GONE: mark };
        let (mut deleted, mut round) = (0, 0);
        loop {
            let mut conditions = vec![gone.clone()];
            for path in &paths {
                path.without_left(context, &gone).await?;
                let accepts = match round {
                    0 => Accepts::Any(mark),
                    // Changed, moved or being deleted by others.
                    round if round % 2 == 1 => Accepts::Open,
                    _ => Accepts::Own,
                };
                conditions.push(path.uncounted(context, &gone, accepts).await?);
            }
            let sent = context.delete_many(definition.collection, doc! { "$and": conditions }).await;
            deleted += sent?;
            if context.count(definition.collection, gone.clone(), 0, 1).await? == 0 {
                return Ok(deleted);
            }
            round += 1;
        }
    })
}

impl RollupPath {
    /// Recomputes the parents that these children left.
    pub(super) async fn without_left(&self, context: &Context, children: &Document) -> Result<u64> {
        let mut filter = children.clone();
        filter.insert(format!("{}.mark", self.left()), doc! { "$exists": true });
        let mut query = Query::new(self.child.collection, filter);
        query.projection = doc! { "_id": 1, self.left(): 1 };
        let mut entries: Vec<(Bson, ObjectId)> = Vec::new();
        let visit = |child: &RawDocument| {
            let child = Document::try_from(child).map_err(Error::encode)?;
            let left = child.get_document("_left").ok().and_then(|left| left.get_array(&self.name).ok());
            for entry in left.into_iter().flatten().filter_map(Bson::as_document) {
                let parent = entry.get("parent").cloned().unwrap_or(Bson::Null);
                if let Ok(mark) = entry.get_object_id("mark") {
                    entries.push((parent, mark));
                }
            }
            Ok(std::ops::ControlFlow::Continue(()))
        };
        // Each entry was on a majority before its child was moved.
        query.for_each(context, visit).await?;
        for (parent, mark) in &entries {
            if *parent != Bson::Null {
                self.refresh(context, parent, Accepts::Own).await?;
            }
            let mut filter = children.clone();
            filter.insert(format!("{}.mark", self.left()), *mark);
            self.update_children(context, filter, doc! { "$pull": { self.left(): { "mark": *mark } } }).await?;
        }
        Ok(entries.len() as u64)
    }

    /// Refreshes the parents of these children up to them: the condition of a child that no parent of this path has.
    async fn uncounted(&self, context: &Context, children: &Document, accepts: Accepts) -> Result<Document> {
        let epochs =
            self.refresh_parents(context, children, accepts).await?.into_iter().filter_map(
                |refreshed| match refreshed {
                    Refreshed::At(epoch) => epoch,
                    Refreshed::NoParent => None,
                },
            );
        let marks: Vec<Bson> = [Bson::Null].into_iter().chain(epochs.map(Bson::ObjectId)).collect();
        Ok(doc! { self.mark(): { "$in": marks }, format!("{}.0", self.left()): { "$exists": false } })
    }
}
