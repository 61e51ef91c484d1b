//! The names of fields in JSON. A field has the stored name, and an `_id` has the name `id`, unless another field has
//! the name `id`. `#[json(rename = "..")]` gives another name.

use crate::definition::{FieldDefinition, JsonField, Kind, Shape, Variants};

const STORED_ID: &str = "_id";
const ID: &str = "id";

/// The fields of a struct, or of an enum that holds data.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// The fields of the struct; of an enum, the fields of all variants.
    pub(super) list: &'static [FieldDefinition],
    pub(super) variants: Option<&'static Variants>,
}

impl Fields {
    /// Returns the fields of a shape; no fields for a shape that is no embedded struct.
    pub(super) fn of(shape: &Shape) -> Fields {
        Fields { list: shape.fields(), variants: shape.variants }
    }
}

/// Returns the name of a field of a struct with these fields in JSON; `None` for a skipped field.
pub(super) fn name_of(fields: &[FieldDefinition], field: &FieldDefinition) -> Option<&'static str> {
    match field.json {
        JsonField::Renamed(name) => Some(name),
        JsonField::Skipped => None,
        JsonField::AsStored if field.name == STORED_ID && !has_id(fields) => Some(ID),
        JsonField::AsStored => Some(field.name),
    }
}

/// Returns whether a field other than the `_id` has the name `id`.
fn has_id(fields: &[FieldDefinition]) -> bool {
    fields.iter().any(|field| match field.json {
        JsonField::Renamed(name) => name == ID,
        JsonField::Skipped => false,
        JsonField::AsStored => field.name == ID,
    })
}

/// Returns the position of the field with this name in JSON. `_id` is a second name of the `_id`, as in extended JSON.
pub(super) fn find(fields: &[FieldDefinition], name: &str) -> Option<usize> {
    let named = fields.iter().position(|field| name_of(fields, field) == Some(name));
    let is_id = |field: &FieldDefinition| field.name == STORED_ID && field.json != JsonField::Skipped;
    named.or_else(|| (name == STORED_ID).then(|| fields.iter().position(is_id)).flatten())
}

/// Returns a path of stored names as a path of names in JSON: `*` stands for a key of a map, and the path ends at a
/// value of unknown shape.
pub(super) fn path_in_json(fields: Fields, stored: &str) -> String {
    let (mut names, mut of) = (Vec::new(), Shape::document("", fields.list, true));
    for name in stored.split('.').filter(|name| !name.is_empty()) {
        match of.kind {
            Kind::Document { fields, .. } => {
                let Some(field) = fields.iter().find(|field| field.name == name) else { break };
                names.push(name_of(fields, field).unwrap_or(field.rust_name));
                of = field.shape;
            }
            Kind::Array { items, .. } => {
                names.push(name);
                of = *items;
            }
            Kind::Map { values, .. } => {
                names.push("*");
                of = *values;
            }
            _ => break,
        }
    }
    names.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;

    const PLAIN: &[FieldDefinition] =
        &[FieldDefinition::new("id", "_id", i32::SHAPE), FieldDefinition::new("title", "t", String::SHAPE)];
    const WITH_ID: &[FieldDefinition] = &[
        FieldDefinition::new("key", "_id", i32::SHAPE),
        FieldDefinition::new("id", "id", String::SHAPE),
        FieldDefinition::new("secret", "secret", String::SHAPE).json_skipped(),
        FieldDefinition::new("b", "b", String::SHAPE).json_renamed("c"),
    ];

    fn names(fields: &[FieldDefinition]) -> Vec<Option<&str>> {
        fields.iter().map(|field| name_of(fields, field)).collect()
    }

    #[test]
    fn an_id_is_called_id_unless_another_field_is() {
        assert_eq!(names(PLAIN), [Some("id"), Some("t")]);
        assert_eq!(names(WITH_ID), [Some("_id"), Some("id"), None, Some("c")]);
    }

    #[test]
    fn a_field_is_found_by_its_name() {
        let found = |fields: &[FieldDefinition], name| find(fields, name);
        assert_eq!([found(PLAIN, "id"), found(PLAIN, "_id"), found(PLAIN, "title")], [Some(0), Some(0), None]);
        assert_eq!([found(WITH_ID, "id"), found(WITH_ID, "_id")], [Some(1), Some(0)]);
        assert_eq!([found(WITH_ID, "secret"), found(WITH_ID, "b"), found(WITH_ID, "c")], [None, None, Some(3)]);
    }

    #[test]
    fn a_stored_path_is_a_path_in_json() {
        const INNER: Shape = Shape::document("Inner", WITH_ID, true);
        const OUTER: &[FieldDefinition] = &[
            FieldDefinition::new("list", "list", Shape::list(&INNER)),
            FieldDefinition::new("map", "map", Shape::new(Kind::Map { values: &INNER, max: None })),
            FieldDefinition::new("any", "any", Shape::opaque(9)),
        ];
        let fields = Fields { list: OUTER, variants: None };
        for (stored, path) in
            [("", ""), ("list.1.b", "list.1.c"), ("map.key._id", "map.*._id"), ("any.b.c", "any"), ("list", "list")]
        {
            assert_eq!(path_in_json(fields, stored), path);
        }
    }
}
