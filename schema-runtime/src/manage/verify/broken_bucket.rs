//! Rule: `broken_bucket`
//!
//! A bucket stores the number of children, the children in order, the bounds of the children's values, and whether a later bucket was
//! begun. The buckets of a parent are numbered from 1 without gaps, and no child is in a bucket twice. A broken bucket was written
//! bypassing this crate and the validator. `repair` writes number, order and bounds from the children, and writes `followed` when a later
//! bucket has children (an insert might otherwise put a child before the later children). `compact` of the parent closes gaps. You decide
//! which of two children or of two buckets stays. Until the number of a bucket is right, the server refuses every other write of the
//! bucket.
//!
//! Source: MongoDB, "Group Data with the Bucket Pattern".

use std::fmt;

use mongodb::bson::Bson;

use super::EXAMPLES;
use crate::{
    bucket::stored::{Broken, Survey},
    definition::ModelDefinition,
    error::Result,
    executor::Context,
    report::counted,
};

/// Buckets that disagree with the children.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenBucket {
    /// The model.
    pub model: &'static str,
    /// The number of buckets with a wrong number, order or bounds of the children: `repair` writes the right values.
    pub wrong: u64,
    /// The number of buckets that do not record a later bucket with children: `repair` writes the record.
    pub unfollowed: u64,
    /// The number of buckets that have a child twice, no array of children, no number, or the number of another bucket of the parent.
    pub ambiguous: u64,
    /// The number of buckets with a missing number before the bucket: `compact` closes the gaps.
    pub gaps: u64,
    /// The `_id`s of some of the broken buckets.
    pub examples: Vec<Bson>,
}

pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Option<BrokenBucket>> {
    let Some(bucket) = model.bucket else { return Ok(None) };
    let mut found =
        BrokenBucket { model: model.model, wrong: 0, unfollowed: 0, ambiguous: 0, gaps: 0, examples: Vec::new() };
    let mut survey = Survey::begin(model, bucket, context).await?;
    while let Some(broken) = survey.next().await? {
        for (id, broken) in broken {
            found.add(id, broken);
        }
    }
    Ok((found.wrong + found.unfollowed + found.ambiguous + found.gaps > 0).then_some(found))
}

impl BrokenBucket {
    fn add(&mut self, id: Bson, broken: Broken) {
        *match broken {
            Broken::Wrong => &mut self.wrong,
            Broken::Unfollowed => &mut self.unfollowed,
            Broken::Ambiguous => &mut self.ambiguous,
            Broken::Gap => &mut self.gaps,
        } += 1;
        if self.examples.len() < EXAMPLES && !self.examples.contains(&id) {
            self.examples.push(id);
        }
    }
}

impl fmt::Display for BrokenBucket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = counted(self.wrong, "bucket says", "buckets say");
        let unfollowed = counted(self.unfollowed, "bucket does", "buckets do");
        let ambiguous = counted(self.ambiguous, "bucket has", "buckets have");
        let parts = [
            (self.wrong, format!("{wrong} another number, order or bounds than those of the children")),
            (self.unfollowed, format!("{unfollowed} not say that another one follows")),
            (self.ambiguous, format!("{ambiguous} a child twice, no children or no number of their own")),
            (self.gaps, format!("{}, which `compact` closes", counted(self.gaps, "gap", "gaps"))),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
        write!(formatter, "{}: {}", self.model, parts.join("; "))?;
        for example in &self.examples {
            write!(formatter, "\n  {example}")?;
        }
        Ok(())
    }
}
