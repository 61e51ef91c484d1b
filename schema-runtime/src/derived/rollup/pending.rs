//! How many writes of children are not applied to their parents. Reads the server.

use std::fmt;

use mongodb::bson::doc;

use super::path::{GONE, RollupPath, paths_of_parent};
use crate::{definition::ModelDefinition, error::Result, executor::Context, report::counted};

/// Writes of the children of one relation that are on their way to the parents, or that a stopped client has left behind.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingRollup {
    /// The collection of the parents.
    pub parent: &'static str,
    /// The collection of the children.
    pub child: &'static str,
    /// The stored name of the reference to the parent.
    pub reference: &'static str,
    /// How many children have a write that is not applied to their parents, or not known to be.
    pub children: u64,
    /// How many parents are to be read again.
    pub parents: u64,
}

impl fmt::Display for PendingRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PendingRollup { parent, child, reference, .. } = self;
        let children = counted(self.children, "child", "children");
        let parents = counted(self.parents, "parent", "parents");
        write!(
            formatter,
            "{child}.{reference}: {children} and {parents} of `{parent}` are pending: `recover` applies them"
        )
    }
}

/// What is pending of the parents of this model, counted by its indexes.
pub(crate) async fn pending(model: &'static ModelDefinition, context: &Context) -> Result<Vec<PendingRollup>> {
    let mut found = Vec::new();
    for path in paths_of_parent(model) {
        let (children, parents) = (path.pending_children(context).await?, path.pending_parents(context).await?);
        if children + parents > 0 {
            let (parent, child, reference) = (path.parent.collection, path.child.collection, path.reference);
            found.push(PendingRollup { parent, child, reference, children, parents });
        }
    }
    Ok(found)
}

impl RollupPath {
    async fn pending_children(&self, context: &Context) -> Result<u64> {
        let marked = doc! { self.mark(): { "$exists": true } };
        let gone = doc! { GONE: { "$exists": true }, self.mark(): { "$exists": false } };
        let marked = context.count(self.child.collection, marked, 0, 0).await?;
        Ok(marked + context.count(self.child.collection, gone, 0, 0).await?)
    }

    async fn pending_parents(&self, context: &Context) -> Result<u64> {
        let mut count = 0;
        for state in ["new"].into_iter().chain(self.may_be_stale().then_some("stale")) {
            let pending = doc! { self.state(state): { "$exists": true } };
            count += context.count(self.parent.collection, pending, 0, 0).await?;
        }
        Ok(count)
    }
}
