//! `on_delete`: the effect of a delete on the documents that refer to the deleted document by a relation that is stored
//! at one end. A delete marks a parent before the delete looks for children. An inserted child has a mark until the
//! insert has read the parent after the write. So no child slips in between. The protocol sets the order of the steps
//! (`docs/delete-rules-protocol.md`).

mod act;
mod delete;
mod deleting;
mod effect;
mod maintenance;
mod recover;
mod repair;
mod rule;
mod writing;

pub(crate) use effect::{DeleteRules, NAME};
