//! Finds the broken buckets of a model. Reads some numbers of each bucket, in the order of the chains. Reaches the server.

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::wrong::{has_children, is_ambiguous, is_wrong};
use crate::{
    codec,
    definition::{
        BucketDefinition, ModelDefinition,
        stored::{FOLLOWED, PAGE},
    },
    error::Result,
    executor::{Context, Replies},
    key::Key,
    read::{Query, documents_in, id},
};

/// The field of the reply that is true for a wrong bucket. A parent may be stored under the bare word.
const WRONG: &str = "_wrong";
/// The field of the reply that is true when the right data of the bucket cannot be known.
const AMBIGUOUS: &str = "_ambiguous";
/// The field of the reply that is true when the bucket has children.
const CHILDREN: &str = "_children";

/// The kind of defect of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The data of the bucket contradict the children.
    Wrong,
    /// The bucket has children, a later bucket of the chain has children, and the bucket lacks the mark of a following bucket. An insert
    /// may go into the bucket.
    Unfollowed,
    /// A child is in the bucket twice, the array of children or the page is missing, or another bucket of the chain has the same page.
    Ambiguous,
    /// The bucket has children, and the page before is missing.
    Gap,
}

/// Reads the buckets of a model, one reply of the server at a time.
pub(crate) struct Survey<'a> {
    collection: &'static str,
    chain_fields: Vec<&'static str>,
    context: &'a Context,
    replies: Replies,
    last: Option<Last>,
}

/// The read buckets of a chain.
struct Last {
    chain: Vec<Key>,
    /// The greatest page without a gap before the page.
    page: i64,
    /// The bucket with the last children, when the bucket lacks the mark of a following bucket.
    open: Option<Bson>,
}

impl<'a> Survey<'a> {
    pub(crate) async fn begin(
        definition: &'static ModelDefinition,
        bucket: &BucketDefinition,
        context: &'a Context,
    ) -> Result<Self> {
        let (collection, chain_fields) = (definition.collection, bucket.chain_fields());
        let (mut sort, mut projection) = (Document::new(), Document::new());
        for name in chain_fields.iter().copied().chain([PAGE]) {
            sort.insert(name, 1);
            projection.insert(name, 1);
        }
        projection.insert(FOLLOWED, 1);
        projection.extend(doc! { WRONG: is_wrong(bucket), AMBIGUOUS: is_ambiguous(), CHILDREN: has_children() });
        let read = Query { sort, projection, ..Query::new(collection, Document::new()) };
        Ok(Survey { collection, chain_fields, context, replies: read.batches(context).await?, last: None })
    }

    /// Returns the `_id`s and the defects of the next broken buckets, perhaps an empty list; `None` after the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<(Bson, Broken)>>> {
        let Some(batch) = self.replies.next().await else { return Ok(None) };
        let (mut broken, mut open) = (Vec::new(), Vec::new());
        for found in documents_in(&batch?)? {
            self.look(found?, &mut broken, &mut open);
        }
        // A bucket may have been read before another client began the next bucket. The bucket has the mark by now.
        let open = still_open(self.collection, &open, self.context).await?;
        broken.extend(open.into_iter().map(|id| (id, Broken::Unfollowed)));
        Ok(Some(broken))
    }

    /// Adds the defects of a bucket, and the open buckets with a later bucket.
    fn look(&mut self, found: &RawDocument, broken: &mut Vec<(Bson, Broken)>, open: &mut Vec<Bson>) {
        let id = id(found).unwrap_or(Bson::Null);
        let (chain, has_children) = (self.chain_of(found), is(found, CHILDREN));
        let last = self.last.take().filter(|last| last.chain == chain);
        let before = last.as_ref().map_or(0, |last| last.page);
        let was_open = last.and_then(|last| last.open);
        if is(found, WRONG) {
            broken.push((id.clone(), Broken::Wrong));
        }
        let page = codec::integer(found, PAGE).filter(|page| *page > before);
        if page.is_none() || is(found, AMBIGUOUS) {
            broken.push((id.clone(), Broken::Ambiguous));
        }
        let page = page.unwrap_or(before);
        let is_behind_gap = page > before + 1;
        if is_behind_gap && has_children {
            broken.push((id.clone(), Broken::Gap));
        }
        // A page without children after the last children closes no gap.
        let page = if is_behind_gap && !has_children { before } else { page };
        let is_followed = found.get(FOLLOWED).ok().flatten().is_some();
        let next_open = if has_children {
            open.extend(was_open);
            (!is_followed).then_some(id)
        } else {
            was_open
        };
        self.last = Some(Last { chain, page, open: next_open });
    }

    fn chain_of(&self, found: &RawDocument) -> Vec<Key> {
        let value = |name: &&'static str| {
            let value = found.get(name).ok().flatten().and_then(|value| Bson::try_from(value).ok());
            Key::of(&value.unwrap_or(Bson::Null))
        };
        self.chain_fields.iter().map(value).collect()
    }
}

/// Returns the given buckets that lack the mark of a following bucket.
async fn still_open(collection: &'static str, ids: &[Bson], context: &Context) -> Result<Vec<Bson>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let filter = doc! { "_id": { "$in": ids }, FOLLOWED: { "$exists": false } };
    Query::new(collection, filter).all_ids(context).await
}

fn is(found: &RawDocument, name: &str) -> bool {
    found.get_bool(name).unwrap_or_default()
}
