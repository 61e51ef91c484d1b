//! Rule: `broken_tree`
//!
//! The documents of a tree store their ancestors as the references to parents say, and none is its own ancestor. What is not so was written
//! bypassing this crate; `repair` writes the ancestors again, and leaves a cycle to be broken by `move_to_root`. A parent that is not there is
//! a `dangling_reference`.
//!
//! Source: MongoDB, "Model Tree Structures".

use std::fmt;

use mongodb::bson::Bson;

use super::EXAMPLES;
use crate::{
    definition::ModelDefinition,
    derived::tree::{Layout, Survey, Wrong},
    error::Result,
    executor::Context,
    report::counted,
};

/// Documents of a tree that are not where they say.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenTree {
    /// The model.
    pub model: &'static str,
    /// How many store other ancestors than they have.
    pub documents: u64,
    /// How many are their own ancestors. Where ancestors are stored, those of a cycle that store what their parent says are not among them.
    pub cycles: u64,
    /// The `_id`s of some of them.
    pub examples: Vec<Bson>,
}

pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Option<BrokenTree>> {
    let Some(layout) = Layout::of(model) else { return Ok(None) };
    let mut found = BrokenTree { model: model.model, documents: 0, cycles: 0, examples: Vec::new() };
    let mut survey = Survey::new(context, layout);
    while let Some(wrong) = survey.next().await? {
        for (id, wrong) in wrong {
            match wrong {
                Wrong::Ancestors => found.documents += 1,
                Wrong::Cycle => found.cycles += 1,
            }
            if found.examples.len() < EXAMPLES {
                found.examples.push(id);
            }
        }
    }
    Ok((found.documents + found.cycles > 0).then_some(found))
}

impl fmt::Display for BrokenTree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stored = counted(self.documents, "document stores", "documents store");
        let cycles = counted(self.cycles, "is its", "are their");
        write!(formatter, "{}: {stored} other ancestors than the parents say, {cycles} own ancestor", self.model)
    }
}
