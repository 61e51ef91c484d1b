//! The buckets of a model that are broken. Reads numbers of each of them, in the order of their chains. Reaches the server.

use std::ops::ControlFlow;

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::wrong::{has_children, is_ambiguous, is_wrong};
use crate::{
    codec,
    definition::{BucketDefinition, ModelDefinition, stored::PAGE},
    error::Result,
    executor::Context,
    key::Key,
    read::{Query, id},
};

/// The field of the answers that says whether a bucket is wrong. A parent may be stored under the bare word.
const WRONG: &str = "_wrong";
/// The one that says whether what is right of it cannot be known.
const AMBIGUOUS: &str = "_ambiguous";
/// The one that says whether it has any children.
const CHILDREN: &str = "_children";

/// What is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It says something else of its children than they are.
    Wrong,
    /// A child is in it twice, it has no array of children or no page, or another bucket of its chain has its page.
    Ambiguous,
    /// It has children, and the page before it is not there.
    Gap,
}

/// Hands the `_id` of each broken bucket to `visit`, with what is broken.
pub(crate) async fn broken(
    definition: &'static ModelDefinition,
    bucket: &BucketDefinition,
    context: &Context,
    mut visit: impl FnMut(Bson, Broken) + Send,
) -> Result<()> {
    let names = bucket.chain_fields();
    let (mut sort, mut projection) = (Document::new(), Document::new());
    for name in names.iter().copied().chain([PAGE]) {
        sort.insert(name, 1);
        projection.insert(name, 1);
    }
    projection.extend(doc! { WRONG: is_wrong(bucket), AMBIGUOUS: is_ambiguous(), CHILDREN: has_children() });
    let read = Query { sort, projection, ..Query::new(definition.collection, Document::new()) };
    let mut last: Option<(Vec<Key>, i64)> = None;
    read.for_each(context, |found| {
        let id = id(found).unwrap_or(Bson::Null);
        let chain = chain_of(&names, found);
        let before = last.take().map_or(0, |(of, page)| if of == chain { page } else { 0 });
        if is(found, WRONG) {
            visit(id.clone(), Broken::Wrong);
        }
        let page = codec::integer(found, PAGE).filter(|page| *page > before);
        if page.is_none() || is(found, AMBIGUOUS) {
            visit(id.clone(), Broken::Ambiguous);
        }
        let page = page.unwrap_or(before);
        let is_behind_gap = page > before + 1;
        if is_behind_gap && is(found, CHILDREN) {
            visit(id, Broken::Gap);
        }
        // Behind the last children no page is missed.
        last = Some((chain, if is_behind_gap && !is(found, CHILDREN) { before } else { page }));
        Ok(ControlFlow::Continue(()))
    })
    .await
}

fn chain_of(names: &[&'static str], found: &RawDocument) -> Vec<Key> {
    let value = |name: &&'static str| {
        let value = found.get(name).ok().flatten().and_then(|value| Bson::try_from(value).ok());
        Key::of(&value.unwrap_or(Bson::Null))
    };
    names.iter().map(value).collect()
}

fn is(found: &RawDocument, name: &str) -> bool {
    found.get_bool(name).unwrap_or_default()
}
