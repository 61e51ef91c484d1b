//! A write that leaves out documents with newer copies. The guard finds a source that has moved, and renews a source
//! that was restored.

use futures_util::future::BoxFuture;
use mongodb::bson::doc;

use super::{Held, Writing, propagate_marked};
use crate::{
    derived::copies::stored::source::{self, Presence, version_of},
    error::Result,
    executor::Context,
    read::Query,
};

impl Writing {
    /// Returns whether the write leaves out a document with newer copies than the copies of the write.
    pub(in crate::derived::copies) fn is_guarded(&self) -> bool {
        self.held.iter().any(|held| held.guarded)
    }

    /// Returns whether a source has moved or gone since the write read the source. The write may then have left out a
    /// newer holder. Also returns true for a source that had gone back.
    pub(in crate::derived::copies) fn has_moved<'a>(&'a self, context: &'a Context) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let context = context.majority();
            for Held { path, used, .. } in &self.held {
                let there: Vec<_> = used.iter().filter(|(_, source)| source.presence == Presence::There).collect();
                let ids = there.iter().map(|(_, source)| source.id.clone()).collect();
                let now = source::read(&context, path, ids).await?;
                if there.into_iter().any(|(key, used)| now.get(key).is_none_or(|now| now.version != used.version)) {
                    return Ok(true);
                }
            }
            self.renew_restored(&context).await
        })
    }

    /// Renews a source that has not moved, and has an older version than its holders: the source was restored, or a
    /// different program has written a whole old document. The source gets a new version, and is propagated. Returns
    /// whether the write has found a restored source.
    async fn renew_restored(&self, context: &Context) -> Result<bool> {
        if context.in_transaction() {
            return Ok(false);
        }
        let mut is_renewed = false;
        for Held { path, used, .. } in self.held.iter().filter(|held| held.guarded) {
            for source in used.values() {
                // The filter of the write finds the documents of the write.
                let newer = |version| {
                    let filter = doc! { "$and": [self.asked.clone(), path.newer(&source.id, version)] };
                    Query::new(path.holder.collection, filter)
                };
                if !newer(source.version).exists(context).await? {
                    continue;
                }
                let touched = source::touch(context, &[path], &source.id, self.mark).await?;
                let Some(version) = touched.as_ref().and_then(version_of) else { continue };
                let marked = doc! { path.source_mark(): self.mark };
                propagate_marked(context, path, marked, &self.following.throttle()).await?.refused.none()?;
                // A holder with a version in the future stays newer even after the renewal.
                is_renewed |= !newer(version).exists(context).await?;
            }
        }
        Ok(is_renewed)
    }
}
