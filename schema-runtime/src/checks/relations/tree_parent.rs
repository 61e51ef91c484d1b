//! Rule: `tree_parent`. The page is `guide/pages/rules/tree_parent.md`.

use crate::{
    checks::fields::field_type::kind,
    definition::{HEADROOM, Kind, Scalar, TreeField, digits, refuse, str_eq},
    model::Model,
};

/// Judges a field with `#[tree(..)]`, which refers to `Target`, if to any model.
#[track_caller]
pub const fn tree_field<M: Model, Target: Model>(at: usize) {
    let field = &M::FIELDS[at];
    let Some((role, max_depth)) = field.tree else { return };
    let name = M::DEFINITION.model;
    match role {
        TreeField::Parent | TreeField::Ancestors if !str_eq(Target::NAME, M::NAME) => refuse! {
            "`{}.{}` refers to `{}`, and all documents of a tree have the same model",
                name, field.rust_name, Target::DEFINITION.model;
            help: "refer to `{}`, or declare a relation: `#[relation(one_to_squillions, parent_ref)]`", name
        },
        TreeField::Parent if !field.shape.nullable => refuse! {
            "`{}.{}` always refers to a parent, and the root of a tree has no parent", name, field.rust_name;
            help: "make the field an `Option<Ref<{}>>`", name
        },
        TreeField::Ancestors if field.shape.nullable => refuse! {
            "`{}.{}` may be null, and the ancestors of a root are an empty array", name, field.rust_name;
            help: "remove the `Option`"
        },
        TreeField::Depth if !matches!(field.shape.kind, Kind::Scalar(Scalar::Integer)) || field.shape.nullable => {
            refuse! {
                "`{}.{}` is {}{}, and a depth is the number of ancestors",
                    name, field.rust_name, kind(&field.shape),
                    if field.shape.nullable { " that may be null" } else { "" };
                help: "make the field an `i32`"
            }
        }
        TreeField::Depth
            if let Some(integer) = &field.shape.integer
                && integer.greatest < (max_depth * HEADROOM) as i64 =>
        {
            refuse! {
                "`{}.{}` is an `{}` and holds at most {}: while many documents move at once, a document may have {} ancestors, twice the `max_depth`",
                    name, field.rust_name, integer.name, digits(integer.greatest as u64).as_str(),
                    digits(max_depth * HEADROOM).as_str();
                help: "make the field an `i32`"
            }
        }
        _ => {}
    }
}
