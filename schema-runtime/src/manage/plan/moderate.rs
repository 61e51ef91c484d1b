//! Keeps a validator at `moderate` until all stored documents pass, for models to which this crate writes derived data.
//! With `strict`, the server would refuse the marks, copies and rollups of a failing document. Pure.

use super::{Change, Note, Plan, same_validator};
use crate::definition::ModelDefinition;

/// Sets the level of each new validator that stored documents fail to `moderate`, and adds a note.
pub(crate) fn until_they_pass(plan: &mut Plan) {
    let Plan { models, steps, notes } = plan;
    steps.retain_mut(|step| {
        let model = models.iter().find(|model| model.collection == step.collection);
        let Change::SetValidator { old, new, refused: Some(documents @ 1..), .. } = &mut step.change else {
            return true;
        };
        let judges = new.level == "strict" && new.action == "error";
        if !judges || !model.is_some_and(|model| ModelDefinition::derives(model)) {
            return true;
        }
        "moderate".clone_into(&mut new.level);
        notes.push(Note::Moderate { collection: step.collection.clone(), documents: *documents });
        !old.as_ref().is_some_and(|old| same_validator(old, new))
    });
}
