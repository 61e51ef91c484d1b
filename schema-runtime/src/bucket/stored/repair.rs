//! Repairs the data that buckets keep about their children: an update for each bucket reads and writes the bucket at once. The repair also
//! marks buckets with a following bucket. Reaches the server.

use std::fmt;

use mongodb::bson::{Bson, Document, doc};

use super::{
    survey::{Broken, Survey},
    wrong::{is_wrong, right},
};
use crate::{
    definition::{BucketDefinition, ModelDefinition, stored::FOLLOWED},
    error::{Result, server},
    executor::Context,
    report::{but_for_refused, counted, named},
};

/// The result of the repair of the buckets of a model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedBuckets {
    /// The model.
    pub model: &'static str,
    /// The number of repaired buckets: the count, the order or the bounds of the children were wrong, or the mark of a following bucket was
    /// missing.
    pub buckets: u64,
    /// The number of buckets that could not be written, for example a bucket with more children than the validator allows.
    pub refused: u64,
    /// The `_id`s of some refused buckets.
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
        let mut survey = Survey::begin(definition, bucket, context).await?;
        while let Some(found) = survey.next().await? {
            for (id, broken) in found {
                if let Some(update) = update(bucket, broken) {
                    let written = write(definition, context, &id, update).await;
                    repaired.add(id, written)?;
                }
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

/// Returns a condition and the update for a bucket that still meets the condition; `None` for a defect that has no decidable repair.
fn update(bucket: &BucketDefinition, broken: Broken) -> Option<(Document, Vec<Document>)> {
    match broken {
        Broken::Wrong => Some((doc! { "$expr": is_wrong(bucket) }, right(bucket))),
        Broken::Unfollowed => {
            Some((doc! { FOLLOWED: { "$exists": false } }, vec![doc! { "$set": { FOLLOWED: true } }]))
        }
        Broken::Ambiguous | Broken::Gap => None,
    }
}

/// Writes a bucket that is still broken, and returns the number of written buckets.
async fn write(
    definition: &'static ModelDefinition,
    context: &Context,
    id: &Bson,
    (mut filter, pipeline): (Document, Vec<Document>),
) -> Result<u64> {
    filter.insert("_id", doc! { "$eq": id });
    let written = context.majority().update_with_pipeline(definition.collection, filter, pipeline, false).await;
    written.map_err(|error| server::write(definition, error))
}
