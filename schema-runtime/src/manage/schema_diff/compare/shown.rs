//! Leaves out the facts that diagrams and descriptions show people, so that a comparison finds the effects on a
//! database.

use crate::manage::schema_file::{ModelEntry, SchemaFile};

/// Returns the file without the facts for people.
pub(super) fn without_facts(file: &SchemaFile) -> SchemaFile {
    let mut file = file.clone();
    file.models.iter_mut().for_each(clear);
    file
}

fn clear(model: &mut ModelEntry) {
    model.module.clear();
    for index in &mut model.indexes {
        index.used_by.clear();
    }
    for field in &mut model.fields {
        field.write = None;
        if let Some(relation) = &mut field.relation {
            relation.mirror_of = None;
            relation.inverse = None;
            relation.at_most = None;
        }
    }
}
