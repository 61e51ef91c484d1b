//! Folds the left differences of all parents. A parent that the server refuses to write is counted, and all remaining parents are folded.

use std::fmt;

use mongodb::bson::Bson;

use crate::{
    definition::ModelDefinition,
    derived::{
        refused::unless_refused,
        rollup::stored::path::{RollupPath, paths_of_child},
    },
    error::Result,
    executor::Context,
    limits::FOLDED_PARENTS,
    report::{but_for_refused, counted, named},
};

/// The recovered differences of the parents of one relation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecoveredRollup {
    /// The collection of the parents.
    pub parent: &'static str,
    /// The collection of the children.
    pub child: &'static str,
    /// The stored path of the reference to the parent.
    pub reference: &'static str,
    /// The number of differences that the parents now count.
    pub differences: u64,
    /// The number of parents that the server refused to write, as by a validator. The differences of a refused parent stay.
    pub refused: u64,
    /// The `_id`s of some refused parents.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RecoveredRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RecoveredRollup { parent, child, .. } = self;
        let differences = counted(self.differences, "difference", "differences");
        let refused = but_for_refused(self.refused, &self.examples);
        write!(formatter, "{parent}: {differences} of `{child}` applied{refused}")
    }
}

/// Folds all left differences of the parents of the models' children.
pub(crate) async fn recover(models: &[&'static ModelDefinition], context: &Context) -> Result<Vec<RecoveredRollup>> {
    let context = &context.majority();
    let mut recovered = Vec::new();
    for path in models.iter().flat_map(|model| paths_of_child(model)) {
        recovered.push(path.recover(context).await?);
    }
    recovered.retain(|recovered| recovered.differences + recovered.refused > 0);
    Ok(recovered)
}

impl RollupPath {
    async fn recover(&self, context: &Context) -> Result<RecoveredRollup> {
        let (parent, child, reference) = (self.parent.collection, self.child.collection, self.reference);
        let examples = Vec::new();
        let mut recovered = RecoveredRollup { parent, child, reference, differences: 0, refused: 0, examples };
        // The read includes differences without a majority, as from a client that was killed a moment ago.
        let left = self.left_by_parent(&context.newest()).await?;
        let parents: Vec<Bson> = left.into_iter().map(|(parent, _)| parent).collect();
        for parents in parents.chunks(FOLDED_PARENTS) {
            if let Some(folded) = unless_refused(context, self.fold(context, parents).await)? {
                recovered.differences += folded;
                continue;
            }
            for parent in parents {
                match unless_refused(context, self.fold(context, std::slice::from_ref(parent)).await)? {
                    Some(folded) => recovered.differences += folded,
                    None => {
                        recovered.refused += 1;
                        named(&mut recovered.examples, [parent.clone()]);
                    }
                }
            }
        }
        Ok(recovered)
    }
}
