//! The way from a path in the names of Rust to the stored path.

use super::{FieldDefinition, Kind, Shape, each, find_flat, str_eq};

/// The end of a path.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedPath {
    /// The shape of the last field.
    pub shape: Shape,
    /// How many names of the path lead to its first array; 0 without an array.
    pub array_at: usize,
    /// True when a document may lack the value or hold null: some field of the path is optional.
    pub optional: bool,
    /// True when serde may leave the last field out instead of writing null.
    pub skippable: bool,
    /// True when the last field may refer to a missing document.
    pub may_dangle: bool,
}

/// Follows a path in the names of Rust through embedded structs, also in arrays and in flat fields. `None` when no such
/// field exists.
pub const fn resolve(fields: &'static [FieldDefinition], path: &[&str]) -> Option<ResolvedPath> {
    let mut fields = fields;
    let mut array_at = 0;
    let mut optional = false;
    let mut depth = 0;
    while depth < path.len() {
        if let Some(flat) = find_flat(fields, path[depth]) {
            (fields, depth) = (flat.shape.fields(), depth + 1);
            continue;
        }
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
            optional |= shape.nullable && depth < path.len();
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

/// Returns the field of this Rust name; `None` when the variants of an enum store different fields under the name. A
/// field inside a flat struct is no field of the struct around the flat field.
pub(crate) const fn find(fields: &'static [FieldDefinition], rust_name: &str) -> Option<&'static FieldDefinition> {
    let mut found: Option<&'static FieldDefinition> = None;
    each!(for field in fields {
        if field.flat.is_none() && str_eq(field.rust_name, rust_name) {
            if found.is_some() {
                return None;
            }
            found = Some(field);
        }
    });
    found
}

/// Returns the field of this stored name.
pub(crate) const fn find_stored(fields: &'static [FieldDefinition], name: &str) -> Option<&'static FieldDefinition> {
    each!(for field in fields {
        if str_eq(field.name, name) {
            return Some(field);
        }
    });
    None
}

/// Returns the stored names of a path in the names of Rust, joined by dots.
pub(crate) fn stored_path(fields: &'static [FieldDefinition], path: &[&str]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    if let Some(flat) = find_flat(fields, first) {
        return stored_path(flat.shape.fields(), rest);
    }
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
