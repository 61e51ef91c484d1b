//! Rule: `wrong_rollup`
//!
//! The subset, the count or a sum of a parent, with the differences that are left for the parent, disagrees with the children: another
//! program has written a child or the parent, or the children are older than the field. `recompute` and `recompute_all` correct the parent.
//!
//! Source: MongoDB, "subset pattern", "computed pattern": data that is stored twice can differ.

use std::fmt;

use mongodb::bson::Bson;

use super::EXAMPLES;
use crate::{
    definition::ModelDefinition,
    derived::rollup::{paths_of_parent, wrong_rollups},
    error::Result,
    executor::Context,
    report::counted,
};

/// Parents with values that disagree with the children.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WrongRollup {
    /// The model of the parents.
    pub model: &'static str,
    /// The collection of the parents.
    pub collection: &'static str,
    /// The relation of the children: `LogMsg.host`.
    pub relation: String,
    /// The number of wrong parents.
    pub count: u64,
    /// The `_id`s of some of the parents.
    pub examples: Vec<Bson>,
}

pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<WrongRollup>> {
    let mut found = Vec::new();
    for path in paths_of_parent(model) {
        let (count, examples) = wrong_rollups(&path, context, EXAMPLES).await?;
        if count > 0 {
            let (model, collection, relation) = (model.model, model.collection, path.relation());
            found.push(WrongRollup { model, collection, relation, count, examples });
        }
    }
    Ok(found)
}

impl fmt::Display for WrongRollup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongRollup { model, collection, relation, .. } = self;
        let documents = counted(self.count, "document", "documents");
        write!(
            formatter,
            "{model}: what {documents} of `{collection}` keep is not what the children say ({relation})"
        )?;
        for example in &self.examples {
            write!(formatter, "\n  {example}")?;
        }
        Ok(())
    }
}
