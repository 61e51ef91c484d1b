//! A validator that stored documents do not pass stays `moderate` until all pass, where this crate writes to documents by itself: the server
//! would refuse their marks, copies and rollups. Pure.

use super::{Change, Note, Plan, same_validator};
use crate::definition::ModelDefinition;

/// Makes the level of such validators `moderate`, and tells it.
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
