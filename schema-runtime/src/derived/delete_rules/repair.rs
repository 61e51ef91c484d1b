//! Repairs references to missing documents in relations with a delete rule, after a delete by a program outside of this crate or by a TTL
//! index. Each orphan gets the action of the rule. May run beside all writers. Reaches the server.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};

use super::{
    presence::{Presence, presence},
    rule::{Ruled, UNCHECKED, rules_of_child},
};
use crate::{
    definition::{DeleteRule, ModelDefinition},
    derived::effect::Others,
    error::{Error, Result},
    executor::Context,
    key::Key,
    limits::REPAIRED_CHILDREN,
    read::{self, Query},
    report::counted,
    transaction::transaction,
};

/// The result of the repair of one relation with a delete rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedOrphans {
    /// The relation, `LogMsg.host`.
    pub relation: String,
    /// The number of orphans that were deleted (`cascade`) or lost the reference (`nullify`, `pull`).
    pub repaired: u64,
    /// The number of orphans that still refer to a missing document: the rule should have kept the document (`restrict`).
    pub left: u64,
}

impl fmt::Display for RepairedOrphans {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RepairedOrphans { relation, left, .. } = self;
        let repaired = counted(self.repaired, "orphan", "orphans");
        write!(formatter, "{relation}: {repaired} repaired, {left} left")
    }
}

pub(crate) async fn repair(
    models: &[&'static ModelDefinition],
    context: &Context,
    others: Others,
) -> Result<Vec<RepairedOrphans>> {
    let mut all = Vec::new();
    for ruled in models.iter().flat_map(|model| rules_of_child(model)) {
        let mut repaired = RepairedOrphans { relation: ruled.text(), repaired: 0, left: 0 };
        let mut query = Query::new(ruled.child.collection, doc! { &ruled.path: { "$exists": true } });
        query.projection = doc! { ruled.name(): 1, UNCHECKED: 1 };
        query.batch_size = REPAIRED_CHILDREN;
        let mut batches = query.batches(context).await?;
        while let Some(batch) = batches.next().await {
            let batch = batch?;
            let mut children = Vec::new();
            for child in read::documents_in(&batch)? {
                children.push(Document::try_from(child?).map_err(Error::encode)?);
            }
            for (child, gone) in orphans(context, &ruled, &children).await? {
                if ruled.rule == DeleteRule::Restrict {
                    repaired.left += 1;
                } else {
                    repaired.repaired += repair_one(context, &ruled, child, &gone, others).await?;
                }
            }
        }
        if repaired.repaired + repaired.left > 0 {
            all.push(repaired);
        }
    }
    Ok(all)
}

/// Returns the orphaned children, each with the missing parents.
async fn orphans(context: &Context, ruled: &Ruled, children: &[Document]) -> Result<Vec<(Bson, Vec<Bson>)>> {
    let mut parents: Vec<Bson> = children.iter().flat_map(|child| ruled.parents_of(child)).collect();
    parents.dedup();
    let presence = presence(context, ruled, &parents).await?;
    let is_gone = |parent: &Bson| presence.get(&Key::of(parent)) == Some(&Presence::Gone);
    let of = |child: &Document| {
        let gone: Vec<Bson> = ruled.parents_of(child).into_iter().filter(is_gone).collect();
        // The inserting client or a recovery checks a new child.
        let is_new = child.contains_key(UNCHECKED);
        Some((child.get("_id")?.clone(), gone)).filter(|(_, gone)| !gone.is_empty() && !is_new)
    };
    Ok(children.iter().filter_map(of).collect())
}

/// Applies the rule to a child that still refers to missing parents. Returns the number of changed documents.
async fn repair_one(context: &Context, ruled: &Ruled, child: Bson, gone: &[Bson], others: Others) -> Result<u64> {
    let child = &child;
    transaction(context.database(), |transaction| async move {
        let context = transaction.context;
        let mut done = 0;
        for parent in gone {
            let is_there = Query::by_id(ruled.parent.collection, parent.clone()).first_id(&context).await?.is_some();
            if !is_there {
                let filter = doc! { "_id": { "$eq": child }, &ruled.path: { "$eq": parent } };
                let taking = ruled.taking(std::slice::from_ref(parent));
                done = done.max(others.take(&context, taking, filter).await?);
            }
        }
        Ok(done)
    })
    .await
}
