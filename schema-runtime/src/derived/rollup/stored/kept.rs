//! The values that parents keep of one field of their children, from the definitions alone. Pure.

use super::path::{RollupPath, names, paths_of_child};
use crate::definition::ModelDefinition;

/// The values that one parent keeps of a field.
pub(crate) struct Kept {
    /// The collection of the parents.
    pub(crate) parent: &'static str,
    /// The stored reference to the parent.
    pub(crate) reference: &'static str,
    /// The stored fields of the parent.
    pub(crate) fields: Vec<&'static str>,
    /// The number of fields that are read again from the children when a held value goes.
    pub(crate) read_again: usize,
    /// True when the field is the reference itself.
    pub(crate) is_reference: bool,
}

/// Returns the values that the parents of a model keep of the field at the given stored path.
pub(crate) fn kept_of(model: &'static ModelDefinition, path: &str) -> Vec<Kept> {
    let of_path = |of: RollupPath| {
        let is_reference = of.moves(path);
        let kept = of.fields.iter().filter(|field| is_reference || field.value.is_of(path));
        let read_again = kept.clone().filter(|field| field.value.is_extreme()).count();
        let fields: Vec<&'static str> = kept.map(|field| field.name).collect();
        let (parent, reference) = (of.parent.collection, of.reference);
        (!fields.is_empty()).then_some(Kept { parent, reference, fields, read_again, is_reference })
    };
    paths_of_child(model).into_iter().filter_map(of_path).collect()
}

/// Returns the stored fields of a model that a parent keeps values of, and the references to the parents.
pub(crate) fn kept_fields(model: &'static ModelDefinition) -> Vec<String> {
    names(&paths_of_child(model)).into_iter().map(str::to_owned).collect()
}
