//! Deletes of children: each is marked as gone with its record, its parents are without it, and then it goes. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    apply::{Borne, by_ids},
    path::{GONE, RollupPath, paths_of_child},
    writing::{Marked, RollupWriting, pending},
};
use crate::{
    definition::ModelDefinition,
    document::equal_to,
    error::{Result, server},
    executor::Context,
};

/// Deletes one document that matches, or all: how many. What another is deleting already is not among them.
pub(super) async fn delete(
    context: &Context,
    definition: &'static ModelDefinition,
    filter: Document,
    many: bool,
) -> Result<u64> {
    let mut writing = RollupWriting::new(definition);
    let paths = paths_of_child(definition);
    let mut set = doc! { GONE: writing.mark };
    let own = context.own_marks().await;
    set.extend(paths.iter().map(|path| (path.record(), Bson::from(path.recorded(writing.mark, None, &own)))));
    let majority = context.majority();
    let found = writing.until_free(&majority, &majority, &filter, &paths, many, &[doc! { "$set": set }]).await?;
    writing.note_id(equal_to(&filter, "_id"));
    if found > 0 {
        writing.prepared = found;
        let marked = |path: RollupPath| Marked { path, deltas: None, is_unnamed: false };
        writing.marked = paths.into_iter().map(marked).collect();
        let follow = |context: Context| -> BoxFuture<'static, Result<()>> {
            Box::pin(
                async move { writing.complete_deletes(&context).await.map_err(|error| pending(definition, error)) },
            )
        };
        context.once_written(follow).await?;
    }
    Ok(found)
}

impl RollupWriting {
    /// All parents are without what is gone, and then it goes.
    async fn complete_deletes(&self, context: &Context) -> Result<()> {
        let (mut done, mut is_refused) = (Vec::new(), false);
        for Marked { path, .. } in &self.marked {
            let deltas = path.deltas(context, self.mark.id).await?;
            let applies = path.apply_or_take_over(context, self.mark, &deltas).await?;
            is_refused |= !applies.refused.is_empty();
            done.push((path, deltas, applies));
        }
        if !is_refused {
            let mark = Bson::from(self.mark);
            // Of several paths others may have taken over one, and cleared it: that is to be known.
            let free = |path: &RollupPath| (path.mark(), mark.clone());
            let mut gone: Document = self.marked.iter().map(|marked| free(&marked.path)).collect();
            gone.insert(GONE, mark);
            gone.extend(self.known_ids().map(by_ids));
            let deleted = context.delete_many(self.definition.collection, gone).await;
            if deleted.map_err(|error| server::write(self.definition, error))? < self.prepared {
                done.iter_mut().for_each(|(_, _, applies)| applies.is_shared = true);
                // Others have taken over some, and delete what has no record any more.
                for Marked { path, .. } in &self.marked {
                    path.clear(context, self.mark.id, Borne::ByAny, &[], None).await?;
                }
            }
        }
        for (path, deltas, applies) in done {
            if is_refused && !applies.is_revoked {
                path.clear(context, self.mark.id, Borne::ByAny, &applies.refused, None).await?;
            }
            path.conclude(context, self.mark, deltas, applies).await?;
        }
        Ok(())
    }
}
