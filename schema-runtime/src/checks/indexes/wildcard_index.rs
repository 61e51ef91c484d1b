//! Rule: `wildcard_index`. The page is `guide/pages/rules/wildcard_index.md`.
//!
//! The half of the rule that knows the field's type: `wildcard(..)` is for a field with names inside, and the fields of
//! `only(..)` and `except(..)` exist.

use crate::{
    checks::fields::{
        field_type::{innermost, kind},
        unknown_field,
    },
    definition::{IndexKey, IndexKind, Kind, ResolvedPath, WildcardPaths, refuse},
    model::Model,
};

/// Judges the key of a wildcard index.
#[track_caller]
pub(in crate::checks) const fn enforce(key: &IndexKey, path: &ResolvedPath) {
    let shape = innermost(&path.shape);
    if matches!(shape.kind, Kind::Scalar(_) | Kind::String { .. } | Kind::Enum(_)) {
        refuse! {
            "`{}` is {}, without names inside: a wildcard index has nothing more to hold than an index of the field",
                key.path[key.path.len() - 1], kind(&shape);
            help: "write the field without `wildcard`; `wildcard(..)` is for a map, a struct or a `Document`"
        }
    }
}

/// Judges path number `path` of `only(..)` or `except(..)` of index number `index` of `M`.
#[track_caller]
pub const fn wildcard_path<M: Model>(index: usize, path: usize) {
    let definition = M::DEFINITION;
    let index = &definition.all_indexes[index];
    let IndexKind::Wildcard(WildcardPaths::Only(paths) | WildcardPaths::Except(paths)) = &index.kind else { return };
    unknown_field::enforce_in(definition, definition.fields_of(index, paths[path]), paths[path]);
}
