//! The collection of left differences: one document per difference, in the order of paths and parents. Reaches the
//! server.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, RawDocumentBuf, Timestamp, doc, oid::ObjectId};

use super::difference::Delta;
use crate::{
    codec,
    definition::stored_names,
    derived::rollup::stored::path::RollupPath,
    error::{Error, Result, server},
    executor::Context,
    key::Key,
    limits::{FEW_LEFT, FOLDED_PARENTS},
    read::{Aggregate, Query},
};

/// The collection of left differences.
pub(in crate::derived::rollup) const DELTAS: &str = stored_names::DELTAS;

impl RollupPath {
    /// Returns the filter of the left differences of the given parents. The list has at most [`FOLDED_PARENTS`]
    /// parents.
    pub(in crate::derived::rollup) fn left_of(&self, parents: &[Bson]) -> Document {
        let of_parent = |parent: &Bson| {
            let bound = |id: Bson| doc! { "path": &self.name, "parent": parent, "id": id };
            doc! { "_id": { "$gte": bound(Bson::MinKey), "$lte": bound(Bson::MaxKey) } }
        };
        match parents {
            [parent] => of_parent(parent),
            parents => doc! { "$or": parents.iter().map(of_parent).collect::<Vec<_>>() },
        }
    }

    /// Returns the filter of all left differences of the path.
    pub(in crate::derived::rollup) fn all_left(&self) -> Document {
        let bound = |parent: Bson| doc! { "path": &self.name, "parent": parent };
        doc! { "_id": { "$gte": bound(Bson::MinKey), "$lte": bound(Bson::MaxKey) } }
    }

    /// Returns the given parents that may have left differences. A path usually has few left differences, so a single
    /// read finds all parents with differences.
    pub(in crate::derived::rollup) async fn may_have_left(
        &self,
        context: &Context,
        parents: &[Bson],
        time: Option<Timestamp>,
    ) -> Result<Vec<Bson>> {
        if parents.len() <= FOLDED_PARENTS {
            return Ok(parents.to_vec());
        }
        let limit = FEW_LEFT as i64 + 1;
        let pipeline =
            vec![doc! { "$match": self.all_left() }, doc! { "$limit": limit }, doc! { "$project": { "_id": 1 } }];
        let found = match time {
            Some(time) => context.aggregate_at(DELTAS, pipeline, time).await?,
            None => Aggregate { collection: Some(DELTAS), pipeline }.all(context).await?,
        };
        if found.len() > FEW_LEFT {
            return Ok(parents.to_vec());
        }
        let having: HashSet<Key> = found.iter().filter_map(parent_of_left).map(Key::of).collect();
        Ok(parents.iter().filter(|parent| having.contains(&Key::of(parent))).cloned().collect())
    }

    /// Stores left differences.
    pub(in crate::derived::rollup) async fn leave(&self, context: &Context, deltas: &[Delta]) -> Result<()> {
        let document = |delta: &Delta| {
            let mut left = doc! { "_id": { "path": &self.name, "parent": &delta.parent, "id": ObjectId::new() } };
            left.extend(self.left(delta));
            codec::encode(&left).map_err(Error::encode)
        };
        let documents: Vec<RawDocumentBuf> = deltas.iter().map(document).collect::<Result<_>>()?;
        if documents.is_empty() {
            return Ok(());
        }
        context.insert_many(DELTAS, documents, true).await.map_err(|error| server::write(self.parent, error))
    }

    /// Reads at most `most` left differences of the given parents. The list has at most [`FOLDED_PARENTS`] parents.
    pub(in crate::derived::rollup) async fn find_left(
        &self,
        context: &Context,
        parents: &[Bson],
        most: usize,
    ) -> Result<Vec<Document>> {
        let mut query = Query::new(DELTAS, self.left_of(parents));
        (query.limit, query.batch_size) = (most as u64, most as u32 + 1);
        query.all(context).await
    }

    /// Deletes the left differences of the given parents. The parents count the differences by now.
    pub(in crate::derived::rollup) async fn delete_left(&self, context: &Context, parents: &[Bson]) -> Result<()> {
        for parents in self.may_have_left(context, parents, None).await?.chunks(FOLDED_PARENTS) {
            let filter = self.left_of(parents);
            // Usually no difference is left, and a read is cheaper than a delete.
            if Query::new(DELTAS, filter.clone()).exists(context).await? {
                context.delete_many(DELTAS, filter).await.map_err(|error| server::write(self.parent, error))?;
            }
        }
        Ok(())
    }
}

/// Returns the parent of a left difference.
pub(in crate::derived::rollup) fn parent_of_left(left: &Document) -> Option<&Bson> {
    left.get_document("_id").ok()?.get("parent")
}

/// Returns the time at which a difference was left, in milliseconds since 1970, by the clock of the client that left
/// the difference.
pub(in crate::derived::rollup) fn left_at(left: &Document) -> i64 {
    let id = left.get_document("_id").ok().and_then(|id| id.get_object_id("id").ok());
    id.map_or(i64::MAX, |id| id.timestamp().timestamp_millis())
}
