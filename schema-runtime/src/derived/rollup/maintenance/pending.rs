//! Counts the left differences of parents. Reads the server.

use std::fmt;

use mongodb::bson::{Bson, doc};

use crate::{
    definition::ModelDefinition,
    derived::rollup::{
        differences::left::DELTAS,
        stored::path::{RollupPath, paths_of_parent},
    },
    document::count,
    error::Result,
    executor::Context,
    limits::ROLLUP_PARENTS,
    read::{Aggregate, Query},
    report::counted,
};

/// Differences that writes of the children of one relation have left for the parents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PendingRollup {
    /// The collection of the parents.
    pub parent: &'static str,
    /// The collection of the children.
    pub child: &'static str,
    /// The stored name of the reference to the parent.
    pub reference: &'static str,
    /// The number of left differences.
    pub differences: u64,
    /// The number of parents with left differences.
    pub parents: u64,
}

impl fmt::Display for PendingRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PendingRollup { parent, child, reference, .. } = self;
        let differences = counted(self.differences, "difference", "differences");
        let parents = counted(self.parents, "document", "documents");
        write!(
            formatter,
            "{child}.{reference}: {differences} for {parents} of `{parent}` are pending: `recover` applies them"
        )
    }
}

/// Counts the left differences for the parents of the model.
pub(crate) async fn pending(model: &'static ModelDefinition, context: &Context) -> Result<Vec<PendingRollup>> {
    let mut found = Vec::new();
    for path in paths_of_parent(model) {
        let (mut differences, mut parents) = (0, 0);
        for left in path.left_by_parent(context).await?.chunks(ROLLUP_PARENTS) {
            let ids: Vec<Bson> = left.iter().map(|(parent, _)| parent.clone()).collect();
            // A missing parent has no pending differences.
            let there = Query::by_ids(path.parent.collection, &ids).all_ids(context).await?;
            for (_, count) in left.iter().filter(|(parent, _)| there.contains(parent)) {
                (differences, parents) = (differences + count, parents + 1);
            }
        }
        if differences > 0 {
            let (parent, child, reference) = (path.parent.collection, path.child.collection, path.reference);
            found.push(PendingRollup { parent, child, reference, differences, parents });
        }
    }
    Ok(found)
}

impl RollupPath {
    /// Returns the parents with left differences, and the number of differences of each.
    pub(in crate::derived::rollup) async fn left_by_parent(&self, context: &Context) -> Result<Vec<(Bson, u64)>> {
        let pipeline = vec![
            doc! { "$match": self.all_left() },
            doc! { "$group": { "_id": "$_id.parent", "count": { "$sum": 1_i64 } } },
        ];
        let found = Aggregate { collection: Some(DELTAS), pipeline }.all(context).await?;
        Ok(found.into_iter().filter_map(|of| Some((of.get("_id")?.clone(), count(of.get("count"))))).collect())
    }
}
