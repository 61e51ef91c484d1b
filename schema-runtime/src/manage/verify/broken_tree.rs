//! Rule: `broken_tree`
//!
//! The documents of a tree store the ancestors that follow from the references to parents, and no document is an ancestor of itself. A
//! wrong document was written bypassing this crate. `repair` writes the ancestors again, and leaves a cycle to `move_to_root`. A parent
//! that does not exist is a `dangling_reference`.
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

/// Documents of a tree that store wrong ancestors or form a cycle.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenTree {
    /// The model.
    pub model: &'static str,
    /// The number of documents that store wrong ancestors.
    pub documents: u64,
    /// The number of documents that are ancestors of themselves. When ancestors are stored, a document of a cycle does not count while the
    /// stored ancestors agree with the parent.
    pub cycles: u64,
    /// The `_id`s of some of the documents.
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
