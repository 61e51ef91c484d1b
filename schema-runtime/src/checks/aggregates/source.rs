//! The field of a document, or of an unwound element, from which an aggregation computes a value.

use crate::definition::{Kind, ModelDefinition, Shape, each, is_path, resolve};

/// The facts about the field.
#[derive(Clone, Copy)]
pub(in crate::checks) struct Source {
    /// The shape of one value.
    pub(in crate::checks) shape: Shape,
    /// True when a document, or an element, may have no value.
    pub(in crate::checks) optional: bool,
}

/// Returns the field at a path; `None` where the model has no such field.
pub(super) const fn find(
    model: &ModelDefinition,
    unwind: &'static [&'static [&'static str]],
    path: &[&str],
) -> Option<Source> {
    let Some(found) = resolve(model.fields, path) else { return None };
    let shape = match found.shape.kind {
        Kind::Array { items, .. } if is_unwound(unwind, path) => *items,
        _ => found.shape,
    };
    Some(Source { shape, optional: found.optional || shape.nullable })
}

/// Returns whether the array at a path is unwound.
pub(super) const fn is_unwound(unwind: &'static [&'static [&'static str]], path: &[&str]) -> bool {
    each!(for other in unwind {
        if is_path(other, path) {
            return true;
        }
    });
    false
}
