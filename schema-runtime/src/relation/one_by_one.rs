//! Records reads of a relation for one document. In a loop, such reads send as many commands as documents; the record
//! names the call that reads all documents at once.

use crate::{
    definition::InverseDefinition,
    executor::{Read, note_read},
    model::Model,
};

/// Records the read of the documents that a field refers to.
pub(super) fn referred<P: Model>(field: &'static str) {
    let model = P::DEFINITION.model;
    note_read(Read { model, by: field, is_far_side: false }, || {
        format!("{model}::{}.load(&db, &documents)", field.to_ascii_uppercase())
    });
}

/// Records the read of the children that refer to a parent.
pub(super) fn children<P: Model, C: Model>(field: &'static str) {
    let (parent, child) = (P::DEFINITION, C::DEFINITION);
    note_read(Read { model: child.model, by: field, is_far_side: true }, || {
        let is_this = |inverse: &&InverseDefinition| inverse.child.name == child.name && inverse.field == field;
        let inverse = parent.inverses.iter().find(is_this);
        match inverse {
            Some(inverse) => format!("{}::{}.load(&db, &parents)", parent.model, inverse.accessor.to_ascii_uppercase()),
            None => format!("{}::{}.inverse().load(&db, &parents)", child.model, field.to_ascii_uppercase()),
        }
    });
}
