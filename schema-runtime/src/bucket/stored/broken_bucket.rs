//! Rule: `broken_bucket`. The page is `guide/pages/rules/broken_bucket.md`.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::{
    repair::{update, write},
    wrong::{has_children, is_ambiguous, is_wrong},
};
use crate::{
    definition::{
        BucketDefinition, ModelDefinition,
        stored::{FOLLOWED, PAGE},
    },
    derived::maintenance::{Fault, Maintenance, MaintenanceKind, Place, Task},
    document::value_at,
    error::Result,
    executor::Context,
    key::Key,
    read::{Query, Walk},
};

/// The field of the reply that is true for a wrong bucket. A parent may be stored under the bare word.
const WRONG: &str = "_wrong";
/// The field of the reply that is true when the right data of the bucket cannot be known.
const AMBIGUOUS: &str = "_ambiguous";
/// The field of the reply that is true when the bucket has children.
const CHILDREN: &str = "_children";

/// The models of a schema in buckets.
pub(crate) struct Buckets;

impl Maintenance for Buckets {
    fn places(&self, models: &[&'static ModelDefinition], task: Task) -> Vec<Box<dyn Place>> {
        if let Task::Backfill = task {
            return Vec::new();
        }
        let buckets = models.iter().filter_map(|definition| Some((*definition, definition.bucket?)));
        let chains = |(definition, bucket): (_, &'static BucketDefinition)| -> Box<dyn Place> {
            Box::new(Chains { definition, bucket, chain_fields: bucket.chain_fields(), last: None })
        };
        buckets.map(chains).collect()
    }
}

/// The buckets of a model, in the order of the chains.
struct Chains {
    definition: &'static ModelDefinition,
    bucket: &'static BucketDefinition,
    chain_fields: Vec<&'static str>,
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

impl Place for Chains {
    fn name(&self) -> (&'static str, String) {
        (self.definition.model, String::new())
    }

    fn walk(&self, context: &Context) -> Walk {
        let (mut sort, mut projection) = (Document::new(), Document::new());
        for name in self.chain_fields.iter().copied().chain([PAGE]) {
            sort.insert(name, 1);
            projection.insert(name, 1);
        }
        projection.insert(FOLLOWED, 1);
        projection.extend(doc! { WRONG: is_wrong(self.bucket), AMBIGUOUS: is_ambiguous(), CHILDREN: has_children() });
        let query = Query { sort, projection, ..Query::new(self.definition.collection, Document::new()) };
        Walk::by_cursor(context, query)
    }

    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        Box::pin(async move {
            let (mut faults, mut open) = (Vec::new(), Vec::new());
            for found in &chunk {
                self.look(found, &mut faults, &mut open);
            }
            // A bucket may have been read before another client began the next bucket. The bucket has the mark by now.
            let open = still_open(self.definition.collection, &open, context).await?;
            faults.extend(open.into_iter().map(|id| Fault::new(MaintenanceKind::UnfollowedBucket, id)));
            Ok(faults)
        })
    }

    fn rewrite<'a>(&'a self, context: &'a Context, fault: &'a Fault) -> BoxFuture<'a, Result<Option<u64>>> {
        Box::pin(async move {
            match update(self.bucket, fault.kind) {
                Some(update) => write(self.definition, context, &fault.id, update).await.map(Some),
                None => Ok(None),
            }
        })
    }
}

impl Chains {
    /// Adds the defects of a bucket, and the open buckets with a later bucket.
    fn look(&mut self, found: &Document, faults: &mut Vec<Fault>, open: &mut Vec<Bson>) {
        let id = value_at(found, "_id");
        let mut broken = |kind| faults.push(Fault::new(kind, id.clone()));
        let (chain, has_children) = (self.chain_of(found), is(found, CHILDREN));
        let last = self.last.take().filter(|last| last.chain == chain);
        let before = last.as_ref().map_or(0, |last| last.page);
        let was_open = last.and_then(|last| last.open);
        if is(found, WRONG) {
            broken(MaintenanceKind::WrongBucket);
        }
        let page = found.get(PAGE).and_then(whole).filter(|page| *page > before);
        if page.is_none() || is(found, AMBIGUOUS) {
            broken(MaintenanceKind::AmbiguousBucket);
        }
        let page = page.unwrap_or(before);
        let is_behind_gap = page > before + 1;
        if is_behind_gap && has_children {
            broken(MaintenanceKind::BucketGap);
        }
        // A page without children after the last children closes no gap.
        let page = if is_behind_gap && !has_children { before } else { page };
        let is_followed = found.contains_key(FOLLOWED);
        let next_open = if has_children {
            open.extend(was_open);
            (!is_followed).then_some(id)
        } else {
            was_open
        };
        self.last = Some(Last { chain, page, open: next_open });
    }

    fn chain_of(&self, found: &Document) -> Vec<Key> {
        self.chain_fields.iter().map(|name| Key::of(found.get(name).unwrap_or(&Bson::Null))).collect()
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

/// Returns a page. A page of another type is no page.
fn whole(page: &Bson) -> Option<i64> {
    match page {
        Bson::Int32(page) => Some(i64::from(*page)),
        Bson::Int64(page) => Some(*page),
        _ => None,
    }
}

fn is(found: &Document, name: &str) -> bool {
    found.get_bool(name).unwrap_or_default()
}
