//! The far side of a relation, where the relation is read back.

use super::{Allow, DeleteRule, ModelDefinition, Target};

/// The far side of a relation: `#[inverse(logmsgs = LogMsg::host)]`.
#[derive(Clone, Copy, Debug)]
pub struct InverseDefinition {
    /// The accessor.
    pub accessor: &'static str,
    /// The model that stores the relation.
    pub child: Target,
    /// The field that stores the relation, in Rust.
    pub field: &'static str,
    /// True for the far side of a `one_to_one`: one document refers to each document, and the inverse reads one
    /// document and not a list.
    pub one_to_one: bool,
    /// The effect of a delete on the referring documents, if a rule is declared.
    pub on_delete: Option<DeleteRule>,
    /// The most referring documents of one document, as the user says.
    pub at_most: Option<u64>,
    /// How often a day the inverse is read, as the user says.
    pub per_day: Option<u64>,
    /// The rules that the inverse may break, with the reasons.
    pub allows: &'static [Allow],
}

impl InverseDefinition {
    /// Creates the far side `accessor` of the relation that `child` stores in `field`.
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

    /// Makes the inverse the far side of a `one_to_one`.
    pub const fn one_to_one(self) -> Self {
        InverseDefinition { one_to_one: true, ..self }
    }

    /// Sets the rule for deletes.
    pub const fn on_delete(self, rule: DeleteRule) -> Self {
        InverseDefinition { on_delete: Some(rule), ..self }
    }

    /// Sets the most referring documents of one document.
    pub const fn at_most(self, most: u64) -> Self {
        InverseDefinition { at_most: Some(most), ..self }
    }

    /// Sets how often a day the inverse is read.
    pub const fn per_day(self, per_day: u64) -> Self {
        InverseDefinition { per_day: Some(per_day), ..self }
    }

    /// Sets the rules that the inverse may break.
    pub const fn allows(self, allows: &'static [Allow]) -> Self {
        InverseDefinition { allows, ..self }
    }

    /// Returns the definition of the model that stores the relation.
    pub fn child(&self) -> &'static ModelDefinition {
        (self.child.definition)()
    }
}
