//! Rule: `one_sided_link`. The page is `guide/pages/rules/one_sided_link.md`.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document, doc};

use super::link::{Link, ids_in};
use crate::{
    document::value_at,
    error::{Error, Result},
    executor::Context,
    key::{Key, may_be_an_id},
    limits::{SURVEYED_DOCUMENTS, SURVEYED_FEWEST, SURVEYED_REFERENCES},
    read::{Query, Walk},
    transaction::transaction,
};

/// Returns the two ends of a relation.
pub(super) fn ends(link: Link) -> [End; 2] {
    [true, false].map(|in_truth| End { link, in_truth })
}

/// One end of a relation. The faults are links of the end that the opposite end lacks, while both documents exist.
pub(super) struct End {
    pub(super) link: Link,
    in_truth: bool,
}

/// A link that is stored at one end only, while both documents exist.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OneSided {
    /// The `_id` of the document that holds the truth.
    pub(super) truth: Bson,
    /// The `_id` of the document that mirrors the truth.
    pub(super) mirror: Bson,
    /// True when the truth has the link and the mirror lacks the link.
    pub(super) in_truth: bool,
}

impl End {
    /// Returns the walk over the documents of the end, with the references.
    pub(super) fn documents(&self, context: &Context) -> Walk {
        let (collection, name, most) = match self.in_truth {
            true => (self.link.truth.collection, self.link.name(), self.link.truth_max()),
            false => (self.link.mirror.collection, self.link.mirror_name, self.link.max),
        };
        let page = (SURVEYED_REFERENCES / most.max(1)).clamp(SURVEYED_FEWEST, SURVEYED_DOCUMENTS as u64);
        let query = Query::new(collection, doc! { name: { "$exists": true } });
        Walk::by_id(context, Query { projection: doc! { name: 1 }, ..query }, page as u32)
    }

    /// Returns the one-sided links of a chunk of the walk.
    pub(super) async fn one_sided(&self, context: &Context, chunk: &[Document]) -> Result<Vec<OneSided>> {
        let suspects = self.suspects(context, chunk).await?;
        let mut found = Vec::new();
        for suspects in suspects.chunks(SURVEYED_DOCUMENTS) {
            found.extend(look_again(context, &self.link, suspects).await?);
        }
        Ok(found)
    }

    /// Returns the links that the given documents of the end have, and that the existing document of the opposite end
    /// lacks.
    async fn suspects(&self, context: &Context, near: &[Document]) -> Result<Vec<OneSided>> {
        let (link, in_truth) = (&self.link, self.in_truth);
        let (name, far, back) = match in_truth {
            true => (link.name(), link.mirror.collection, link.mirror_name),
            false => (link.mirror_name, link.truth.collection, link.name()),
        };
        let ids: Vec<Bson> = near.iter().filter_map(|document| document.get("_id").cloned()).collect();
        let mut pairs = Vec::new();
        for document in near {
            let Some(id) = document.get("_id") else { continue };
            let referred = ids_in(&value_at(document, name)).into_iter().filter(may_be_an_id);
            pairs.extend(referred.map(|far| (id, far)));
        }
        let mut suspects = Vec::new();
        for pairs in pairs.chunks(SURVEYED_DOCUMENTS) {
            let others: HashMap<Key, Bson> = pairs.iter().map(|(_, far)| (Key::of(far), far.clone())).collect();
            let held = held(context, far, back, others.into_values().collect(), &ids).await?;
            for (near, far) in pairs {
                if held.get(&Key::of(far)).is_some_and(|held| !held.contains(&Key::of(near))) {
                    let (near, far) = ((*near).clone(), far.clone());
                    let (truth, mirror) = if in_truth { (near, far) } else { (far, near) };
                    suspects.push(OneSided { truth, mirror, in_truth });
                }
            }
        }
        Ok(suspects)
    }
}

/// Returns the suspects that are one-sided in a single read. A concurrent change may show a link at one end during the
/// search.
async fn look_again(context: &Context, link: &Link, suspects: &[OneSided]) -> Result<Vec<OneSided>> {
    if suspects.is_empty() {
        return Ok(Vec::new());
    }
    let looked = transaction(context.database(), |transaction| async move {
        link.still_one_sided(&transaction.context, suspects).await
    });
    match looked.await {
        // A standalone server has no snapshots.
        Err(Error::NotReplicaSet) => link.still_one_sided(context, suspects).await,
        looked => looked,
    }
}

impl Link {
    pub(super) async fn still_one_sided(&self, context: &Context, suspects: &[OneSided]) -> Result<Vec<OneSided>> {
        let truth_ids: Vec<Bson> = suspects.iter().map(|suspect| suspect.truth.clone()).collect();
        let mirror_ids: Vec<Bson> = suspects.iter().map(|suspect| suspect.mirror.clone()).collect();
        let truths = held(context, self.truth.collection, self.name(), truth_ids.clone(), &mirror_ids).await?;
        let mirrors = held(context, self.mirror.collection, self.mirror_name, mirror_ids, &truth_ids).await?;
        let is_one_sided = |suspect: &&OneSided| {
            let truth = truths.get(&Key::of(&suspect.truth)).map(|held| held.contains(&Key::of(&suspect.mirror)));
            let mirror = mirrors.get(&Key::of(&suspect.mirror)).map(|held| held.contains(&Key::of(&suspect.truth)));
            truth == Some(suspect.in_truth) && mirror == Some(!suspect.in_truth)
        };
        Ok(suspects.iter().filter(is_one_sided).cloned().collect())
    }
}

/// Returns the references of the existing documents. An array gives only the elements that are also in `among`.
async fn held(
    context: &Context,
    collection: &'static str,
    name: &str,
    ids: Vec<Bson>,
    among: &[Bson],
) -> Result<HashMap<Key, HashSet<Key>>> {
    let mut query = Query::by_ids(collection, &ids);
    let path = format!("${name}");
    let some = doc! { "$setIntersection": [&path, { "$literal": among }] };
    query.projection = doc! { HELD: { "$cond": [{ "$isArray": &path }, some, &path] } };
    let documents = query.all(context).await?;
    let of = |document: &Document| {
        let held = ids_in(&value_at(document, HELD)).iter().map(Key::of).collect();
        Some((Key::of(document.get("_id")?), held))
    };
    Ok(documents.iter().filter_map(of).collect())
}

/// The name of the references in the reply.
const HELD: &str = "held";
