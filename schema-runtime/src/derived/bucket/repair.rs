//! What buckets say of their children is written as these are: one update for each bucket, which reads and writes it at once; and of those that others
//! follow it is written that they are followed. Reaches the server.

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

/// What was repaired of the buckets of one model.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairedBuckets {
    /// The model.
    pub model: &'static str,
    /// How many buckets say what their children are now: their number, their order, the bounds of it; or that another one follows them.
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

/// A condition, and what is written where it holds yet; nothing for what is not decided here.
fn update(bucket: &BucketDefinition, broken: Broken) -> Option<(Document, Vec<Document>)> {
    match broken {
        Broken::Wrong => Some((doc! { "$expr": is_wrong(bucket) }, right(bucket))),
        Broken::Unfollowed => {
            Some((doc! { FOLLOWED: { "$exists": false } }, vec![doc! { "$set": { FOLLOWED: true } }]))
        }
        Broken::Ambiguous | Broken::Gap => None,
    }
}

/// Writes a bucket, where it is still broken: how many were.
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
