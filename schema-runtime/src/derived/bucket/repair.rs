//! What buckets say of their children is written as these are: one update for each bucket, which reads and writes it at once. Reaches the server.

use std::fmt;

use mongodb::bson::{Bson, doc};

use super::wrong::{is_wrong, right};
use crate::{
    definition::{BucketDefinition, ModelDefinition},
    error::{Result, server},
    executor::Context,
    read::Query,
    report::{but_for_refused, counted, named},
};

/// What was repaired of the buckets of one model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedBuckets {
    /// The model.
    pub model: &'static str,
    /// How many buckets say what their children are now: their number, their order, the bounds of it.
    pub buckets: u64,
    /// How many could not be written, as where they have more children than the validator allows.
    pub refused: u64,
    /// The `_id`s of some of those.
    pub examples: Vec<Bson>,
}

impl fmt::Display for RepairedBuckets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let buckets = counted(self.buckets, "bucket", "buckets");
        let refused = but_for_refused(self.refused, &self.examples);
        write!(formatter, "{}: {buckets} written as their children are{refused}", self.model)
    }
}

pub(crate) async fn repair(models: &[&'static ModelDefinition], context: &Context) -> Result<Vec<RepairedBuckets>> {
    let mut all = Vec::new();
    for definition in models {
        let Some(bucket) = definition.bucket else { continue };
        let mut repaired = RepairedBuckets { model: definition.model, buckets: 0, refused: 0, examples: Vec::new() };
        let mut ids = wrong(definition, bucket).ids(context).await?;
        while let Some(found) = ids.next().await? {
            for id in found {
                let written = write(definition, bucket, context, &id).await;
                repaired.add(id, written)?;
            }
        }
        if repaired.buckets + repaired.refused > 0 {
            all.push(repaired);
        }
    }
    Ok(all)
}

impl RepairedBuckets {
    fn add(&mut self, id: Bson, written: Result<u64>) -> Result<()> {
        match written {
            Ok(written) => self.buckets += written,
            Err(error) if error.writes_nothing() => {
                self.refused += 1;
                named(&mut self.examples, [id]);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

fn wrong(definition: &'static ModelDefinition, bucket: &BucketDefinition) -> Query {
    Query::new(definition.collection, doc! { "$expr": is_wrong(bucket) })
}

/// Writes a bucket, where it is still wrong.
async fn write(
    definition: &'static ModelDefinition,
    bucket: &BucketDefinition,
    context: &Context,
    id: &Bson,
) -> Result<u64> {
    let filter = doc! { "_id": { "$eq": id }, "$expr": is_wrong(bucket) };
    let written = context.majority().update_with_pipeline(definition.collection, filter, right(bucket), false).await;
    written.map_err(|error| server::write(definition, error))
}
