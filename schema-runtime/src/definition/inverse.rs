//! The far side of a relation, where it is read back.

use super::{Allow, DeleteRule, ModelDefinition, Target};

/// The far side of a relation: `#[inverse(logmsgs = LogMsg::host)]`.
#[derive(Clone, Copy, Debug)]
pub struct InverseDefinition {
    /// The accessor.
    pub accessor: &'static str,
    /// The model that stores the relation.
    pub child: Target,
    /// The field that stores it, in Rust.
    pub field: &'static str,
    /// Whether one document refers to each: the far side of a `one_to_one`, which reads one and not a list.
    pub one_to_one: bool,
    /// What a delete does to those that refer to the deleted document, if it is said.
    pub on_delete: Option<DeleteRule>,
    /// How many there are at most, as the user says.
    pub at_most: Option<u64>,
    /// How often it is read a day, as the user says.
    pub per_day: Option<u64>,
    /// The rules that it may break, with the reasons.
    pub allows: &'static [Allow],
}

impl InverseDefinition {
    /// The far side `accessor` of the relation that `child` stores in `field`.
    pub const fn new(accessor: &'static str, child: Target, field: &'static str) -> Self {
        InverseDefinition {
            accessor,
            child,
            field,
            one_to_one: false,
            on_delete: None,
            at_most: None,
            per_day: None,
            allows: &[],
        }
    }

    /// The same, of which there is one.
    pub const fn one_to_one(self) -> Self {
        InverseDefinition { one_to_one: true, ..self }
    }

    /// The same, with what a delete does.
    pub const fn on_delete(self, rule: DeleteRule) -> Self {
        InverseDefinition { on_delete: Some(rule), ..self }
    }

    /// The same, with so many at most.
    pub const fn at_most(self, most: u64) -> Self {
        InverseDefinition { at_most: Some(most), ..self }
    }

    /// The same, read so often a day.
    pub const fn per_day(self, per_day: u64) -> Self {
        InverseDefinition { per_day: Some(per_day), ..self }
    }

    /// The same with rules it may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        InverseDefinition { allows, ..self }
    }

    /// The definition of the model that stores the relation.
    pub fn child(&self) -> &'static ModelDefinition {
        (self.child.definition)()
    }
}
