//! From a path in the names of Rust to the stored one.

use super::{FieldDefinition, Kind, Shape, str_eq};

/// What a path leads to.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedPath {
    /// The shape of the last field.
    pub shape: Shape,
    /// How many names of the path lead to its first array; 0 when there is none.
    pub array_at: usize,
    /// Whether a document may lack it or hold null: some field of the path is optional.
    pub optional: bool,
    /// Whether serde may leave the last field out instead of writing null.
    pub skippable: bool,
    /// Whether the last field may refer to a document that is not there.
    pub may_dangle: bool,
}

/// Follows a path in the names of Rust through embedded structs, also those in arrays. `None` when there is no such field.
pub const fn resolve(fields: &'static [FieldDefinition], path: &[&str]) -> Option<ResolvedPath> {
    let mut fields = fields;
    let mut array_at = 0;
    let mut optional = false;
    let mut depth = 0;
    while depth < path.len() {
        let Some(field) = find(fields, path[depth]) else { return None };
        depth += 1;
        if field.shape.nullable || !field.required {
            optional = true;
        }
        let mut shape = field.shape;
        while let Kind::Array { items, .. } = shape.kind {
            if array_at == 0 {
                array_at = depth;
            }
            shape = *items;
        }
        if depth == path.len() {
            let FieldDefinition { shape, skippable, may_dangle, .. } = *field;
            return Some(ResolvedPath { shape, array_at, optional, skippable, may_dangle });
        }
        match shape.kind {
            Kind::Document { fields: inner, .. } => fields = inner,
            _ => return None,
        }
    }
    None
}

/// The field of this Rust name. None, where the variants of an enum store different ones under its name.
pub(crate) const fn find(fields: &'static [FieldDefinition], rust_name: &str) -> Option<&'static FieldDefinition> {
    let mut found: Option<&'static FieldDefinition> = None;
    let mut at = 0;
    while at < fields.len() {
        if str_eq(fields[at].rust_name, rust_name) {
            if found.is_some() {
                return None;
            }
            found = Some(&fields[at]);
        }
        at += 1;
    }
    found
}

/// The field of this stored name.
pub(crate) const fn find_stored(fields: &'static [FieldDefinition], name: &str) -> Option<&'static FieldDefinition> {
    let mut at = 0;
    while at < fields.len() {
        if str_eq(fields[at].name, name) {
            return Some(&fields[at]);
        }
        at += 1;
    }
    None
}

/// The stored names of a path in the names of Rust, joined by dots.
pub(crate) fn stored_path(fields: &'static [FieldDefinition], path: &[&str]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let field = find(fields, first)?;
    if rest.is_empty() {
        return Some(field.name.to_owned());
    }
    let mut shape = field.shape;
    while let Kind::Array { items, .. } = shape.kind {
        shape = *items;
    }
    let Kind::Document { fields: inner, .. } = shape.kind else { return None };
    Some(format!("{}.{}", field.name, stored_path(inner, rest)?))
}
