//! Rule: `embedded_model`. The page is `guide/pages/rules/embedded_model.md`.

use crate::definition::{FieldDefinition, Kind, Shape, each, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce(owner: &str, field: &FieldDefinition) {
    if let Some(model) = embedded(&field.shape) {
        refuse! {
            "`{}.{}` embeds `{}`, a model with a separate collection", owner, field.rust_name, model;
            help: "store a `Ref<{}>`: `child_refs` for an array of references, `parent_ref` for a single reference; or derive `Embed` in place of `Model` on the struct",
                model
        }
    }
}

const fn embedded(shape: &Shape) -> Option<&'static str> {
    match shape.kind {
        Kind::Model { name } => Some(name),
        Kind::Array { items, .. } => embedded(items),
        Kind::Map { values, .. } => embedded(values),
        Kind::Document { fields, judged: false, .. } => {
            each!(for field in fields {
                if let Some(name) = embedded(&field.shape) {
                    return Some(name);
                }
            });
            None
        }
        _ => None,
    }
}
