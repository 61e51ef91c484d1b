//! Rule: `one_sided_link`
//!
//! Both ends of a `two_way` relation store a link. A link that is stored at a single end was written bypassing this crate. `repair` writes
//! the mirror from the truth, `repair_from_mirrors` writes the truth from the mirror. A link to a document that does not exist is a
//! `dangling_reference`.
//!
//! Source: "The Little MongoDB Schema Design Book", "Two Way Embedding": authors and books of the example disagree.

use std::fmt;

use mongodb::bson::Bson;

use super::EXAMPLES;
use crate::{
    definition::ModelDefinition,
    derived::links::{Survey, links_from},
    error::Result,
    executor::Context,
    report::counted,
};

/// Links of a relation that are stored at a single end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OneSidedLink {
    /// The relation, `Task.owner`.
    pub relation: String,
    /// The model that mirrors the relation.
    pub mirror: &'static str,
    /// The number of links that the truth has and the mirror lacks.
    pub only_in_truth: u64,
    /// The number of links that the mirror has and the truth lacks.
    pub only_in_mirror: u64,
    /// Some of the links.
    pub examples: Vec<OneSidedExample>,
}

/// A link that is stored at a single end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OneSidedExample {
    /// The `_id` of the document that holds the truth.
    pub truth: Bson,
    /// The `_id` of the document that mirrors the truth.
    pub mirror: Bson,
    /// True when the truth has the link.
    pub in_truth: bool,
}

pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<OneSidedLink>> {
    let mut all = Vec::new();
    for link in links_from(model) {
        let (relation, mirror) = (link.text(), link.mirror.model);
        let mut found = OneSidedLink { relation, mirror, only_in_truth: 0, only_in_mirror: 0, examples: Vec::new() };
        let mut survey = Survey::new(context, link);
        while let Some(links) = survey.next().await? {
            for one in links {
                match one.in_truth {
                    true => found.only_in_truth += 1,
                    false => found.only_in_mirror += 1,
                }
                if found.examples.len() < EXAMPLES {
                    let (truth, mirror, in_truth) = (one.truth, one.mirror, one.in_truth);
                    found.examples.push(OneSidedExample { truth, mirror, in_truth });
                }
            }
        }
        if found.only_in_truth + found.only_in_mirror > 0 {
            all.push(found);
        }
    }
    Ok(all)
}

impl fmt::Display for OneSidedLink {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OneSidedLink { relation, mirror, only_in_mirror, .. } = self;
        let in_truth = counted(self.only_in_truth, "link", "links");
        write!(
            formatter,
            "{relation}: {in_truth} that `{mirror}` does not mirror, {only_in_mirror} that only `{mirror}` has"
        )?;
        for OneSidedExample { truth, mirror, in_truth } in &self.examples {
            match in_truth {
                true => write!(formatter, "\n  {truth} refers to {mirror}, which does not mirror it")?,
                false => write!(formatter, "\n  {mirror} mirrors {truth}, which does not refer to it")?,
            }
        }
        Ok(())
    }
}
