//! Rule: `broken_bucket`
//!
//! A bucket says how many children it has, holds them in their order, and says between which values of it they are; the buckets of a parent are
//! numbered from 1, none is missing, and no child is in one twice. What is not so was written bypassing this crate and its validator. `repair` writes number, order
//! and bounds as the children are, `compact` of the parent closes gaps, and which of two children or of two buckets stays is yours to say. Until its
//! number is right the server refuses every other write of a bucket.
//!
//! Source: MongoDB, "Group Data with the Bucket Pattern".

use std::fmt;

use mongodb::bson::Bson;

use super::EXAMPLES;
use crate::{
    definition::ModelDefinition,
    derived::bucket::{Broken, broken},
    error::Result,
    executor::Context,
    report::counted,
};

/// Buckets that are not as their children say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenBucket {
    /// The model.
    pub model: &'static str,
    /// How many say another number, order or bounds than those of their children: `repair` writes them.
    pub wrong: u64,
    /// How many have a child twice, no array of children, no number, or the number of another bucket of their parent.
    pub ambiguous: u64,
    /// Before how many a number is missing: `compact` closes these gaps.
    pub gaps: u64,
    /// The `_id`s of some of all these buckets.
    pub examples: Vec<Bson>,
}

pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Option<BrokenBucket>> {
    let Some(bucket) = model.bucket else { return Ok(None) };
    let mut found = BrokenBucket { model: model.model, wrong: 0, ambiguous: 0, gaps: 0, examples: Vec::new() };
    broken(model, bucket, context, |id, broken| {
        *match broken {
            Broken::Wrong => &mut found.wrong,
            Broken::Ambiguous => &mut found.ambiguous,
            Broken::Gap => &mut found.gaps,
        } += 1;
        if found.examples.len() < EXAMPLES && !found.examples.contains(&id) {
            found.examples.push(id);
        }
    })
    .await?;
    Ok((found.wrong + found.ambiguous + found.gaps > 0).then_some(found))
}

impl fmt::Display for BrokenBucket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = counted(self.wrong, "bucket says", "buckets say");
        write!(formatter, "{}: {wrong} another number, order or bounds than those of the children", self.model)?;
        if self.ambiguous > 0 {
            let ambiguous = counted(self.ambiguous, "bucket has", "buckets have");
            write!(formatter, "; {ambiguous} a child twice, no children or no number of their own")?;
        }
        if self.gaps > 0 {
            write!(formatter, "; {}, which `compact` closes", counted(self.gaps, "gap", "gaps"))?;
        }
        for example in &self.examples {
            write!(formatter, "\n  {example}")?;
        }
        Ok(())
    }
}
