//! Rule: `tree_parent`
//!
//! In a tree a document refers to its parent in the same collection, and a root to no parent: the field is an `Option<Ref<Self>>`. The
//! ancestors are references to the same model, in an array, alone or beside copies of the ancestors' fields; the depth is an integer. If
//! every document needed a parent, no document could be inserted first.
//!
//! Source: MongoDB, "Model Tree Structures with Parent References": the root's parent is null.

use crate::{
    checks::fields::field_type::kind,
    definition::{HEADROOM, Kind, Message, Scalar, TreeField, str_eq},
    model::Model,
};

/// Judges a field with `#[tree(..)]`, which refers to `Target`, if to any model.
#[track_caller]
pub const fn tree_field<M: Model, Target: Model>(at: usize) {
    let field = &M::FIELDS[at];
    let Some((role, max_depth)) = field.tree else { return };
    let name = M::DEFINITION.model;
    let message = Message::new().field(name, &[field.rust_name]);
    match role {
        TreeField::Parent | TreeField::Ancestors if !str_eq(Target::NAME, M::NAME) => message
            .text(" refers to ")
            .code(Target::DEFINITION.model)
            .text(", and a tree is of documents of one model\nhelp: refer to ")
            .code(name)
            .text(", or declare a relation: `#[relation(one_to_squillions, parent_ref)]`\nrule: tree_parent")
            .fail(),
        TreeField::Parent if !field.shape.nullable => message
            .text(" always refers to one, and the root of a tree has no parent\nhelp: make it an `Option<Ref<")
            .text(name)
            .text(">>`\nrule: tree_parent")
            .fail(),
        TreeField::Ancestors if field.shape.nullable => message
            .text(" may be null, and the ancestors of a root are an empty array\nhelp: remove the `Option`\nrule: tree_parent")
            .fail(),
        TreeField::Depth if !matches!(field.shape.kind, Kind::Scalar(Scalar::Integer)) || field.shape.nullable => {
            message
                .text(" is ")
                .text(kind(&field.shape))
                .text(if field.shape.nullable { " that may be null" } else { "" })
                .text(", and a depth is how many ancestors there are\nhelp: make it an `i32`\nrule: tree_parent")
                .fail()
        }
        TreeField::Depth
            if let Some(integer) = &field.shape.integer
                && integer.greatest < (max_depth * HEADROOM) as i64 =>
        {
            message
                .text(" is an ")
                .code(integer.name)
                .text(", which holds at most ")
                .number(integer.greatest as u64)
                .text(": while many documents move at once, a document may have ")
                .number(max_depth * HEADROOM)
                .text(" ancestors, twice its `max_depth`\nhelp: make it an `i32`\nrule: tree_parent")
                .fail()
        }
        _ => {}
    }
}
