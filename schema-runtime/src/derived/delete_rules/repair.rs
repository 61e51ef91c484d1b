//! Repairs references to missing documents in relations with a delete rule, after a delete by a program outside of this
//! crate or by a TTL index. Each orphan gets the action of the rule. May run beside all writers. Reaches the server.

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, doc};

use super::rule::{Ruled, UNCHECKED};
use crate::{
    definition::DeleteRule,
    derived::{
        effect::Writer,
        maintenance::{Fault, MaintenanceKind, Place},
        presence::{Presence, existing, presence_of},
    },
    error::Result,
    executor::Context,
    key::Key,
    limits::REPAIRED_CHILDREN,
    read::{Query, Walk},
    transaction::transaction,
};

/// The documents of one relation with a delete rule.
pub(super) struct Children {
    pub(super) ruled: Ruled,
    pub(super) writer: Writer,
}

impl Place for Children {
    fn name(&self) -> (&'static str, String) {
        (self.ruled.child.model, self.ruled.relation.field.to_owned())
    }

    fn walk(&self, context: &Context) -> Walk {
        let mut query = Query::new(self.ruled.child.collection, doc! { &self.ruled.path: { "$exists": true } });
        query.projection = doc! { self.ruled.name(): 1, UNCHECKED: 1 };
        Walk::by_id(context, query, REPAIRED_CHILDREN)
    }

    fn faults<'a>(&'a mut self, context: &'a Context, chunk: Vec<Document>) -> BoxFuture<'a, Result<Vec<Fault>>> {
        Box::pin(async move {
            let kind = match self.ruled.rule {
                DeleteRule::Restrict => MaintenanceKind::RestrictingOrphan,
                _ => MaintenanceKind::Orphan,
            };
            let orphans = orphans(context, &self.ruled, &chunk).await?;
            let fault = |(id, gone)| Fault { kind, id, related: Some(Bson::Array(gone)) };
            Ok(orphans.into_iter().map(fault).collect())
        })
    }

    fn rewrite<'a>(&'a self, context: &'a Context, fault: &'a Fault) -> BoxFuture<'a, Result<Option<u64>>> {
        Box::pin(async move {
            match (&fault.related, fault.kind) {
                (Some(Bson::Array(gone)), MaintenanceKind::Orphan) => {
                    repair_one(context, &self.ruled, &fault.id, gone, self.writer).await.map(Some)
                }
                _ => Ok(None),
            }
        })
    }
}

/// Returns the orphaned children, each with the missing parents.
async fn orphans(context: &Context, ruled: &Ruled, children: &[Document]) -> Result<Vec<(Bson, Vec<Bson>)>> {
    let mut parents: Vec<Bson> = children.iter().flat_map(|child| ruled.parents_of(child)).collect();
    parents.dedup();
    let presence = presence_of(context, ruled.parent, &parents).await?;
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
async fn repair_one(context: &Context, ruled: &Ruled, child: &Bson, gone: &[Bson], writer: Writer) -> Result<u64> {
    transaction(context.database(), |transaction| async move {
        let context = transaction.context;
        let mut done = 0;
        for parent in gone {
            if existing(&context, ruled.parent, std::slice::from_ref(parent)).await?.is_empty() {
                let filter = doc! { "_id": { "$eq": child }, &ruled.path: { "$eq": parent } };
                let removal = ruled.removal(std::slice::from_ref(parent));
                done = done.max(writer.remove_references(&context, removal, filter).await?);
            }
        }
        Ok(done)
    })
    .await
}
