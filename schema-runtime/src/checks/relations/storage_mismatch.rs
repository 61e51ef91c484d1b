//! Rule: `storage_mismatch`. The page is `guide/pages/rules/storage_mismatch.md`.
//!
//! The half of the rule that knows the field's type: `embed` is for a struct that derives `Embed` or a list of structs
//! that derive `Embed`; `child_refs` is for a list of references, `parent_ref` for a single reference.

use crate::definition::{FieldDefinition, Kind, RelationDefinition, Shape, find_relation, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce_embedded_struct(field: &FieldDefinition) {
    match field.shape.kind {
        _ if may_be_document(&field.shape) => {}
        Kind::Array { .. } | Kind::Map { .. } => {
            fail(field, " is a list, and `one_to_one` embeds a single struct", "write `one_to_few` with a `max`")
        }
        _ => fail(
            field,
            " is a single value, and `embed` is for structs that derive `Embed`",
            "remove the relation: the field needs no relation",
        ),
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_embedded_list(field: &FieldDefinition) {
    match field.shape.kind {
        Kind::Document { .. } => {
            fail(field, " is a single struct, and `one_to_few` embeds a list", "write `#[relation(one_to_one, embed)]`")
        }
        Kind::Array { items, .. } | Kind::Map { values: items, .. } if may_be_document(items) => {}
        Kind::Array { .. } | Kind::Map { .. } => fail(
            field,
            " holds scalars, and `embed` is for structs that derive `Embed`",
            "write `#[bound(max_items = N)]` in place of the relation",
        ),
        _ if may_be_document(&field.shape) => {}
        _ => fail(
            field,
            " is a single value, and `embed` is for structs that derive `Embed`",
            "remove the relation: the field needs no relation",
        ),
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_reference_list(field: &FieldDefinition) {
    if !matches!(field.shape.kind, Kind::Array { .. }) {
        fail(
            field,
            " holds one reference, and `child_refs` is stored as a list",
            "write `parent_ref`, or make the field a `Vec<Ref<..>>`",
        )
    }
}

#[track_caller]
pub(in crate::checks) const fn enforce_single_reference(field: &FieldDefinition) {
    if field.shape.is_collection() {
        fail(
            field,
            " is a list, and `parent_ref` is one reference",
            "write `child_refs` with a `max`, or make the field a `Ref<..>`",
        )
    }
}

/// Refuses a list at an end of a `two_way` that may be null: the list is an array from the first insert on, because a
/// link is put into the array.
#[track_caller]
pub(in crate::checks) const fn enforce_linked_list(relations: &'static [RelationDefinition], field: &FieldDefinition) {
    if field.shape.nullable
        && let Some(relation) = find_relation(relations, field.rust_name)
        && (relation.is_mirror || relation.is_mirrored())
    {
        fail(
            field,
            " may be null, and a link of a `two_way` is put into an array",
            "remove the `Option`: without links the `Vec` is empty",
        )
    }
}

/// True when the shape is a struct, or a type of which a mistake left nothing.
const fn may_be_document(shape: &Shape) -> bool {
    match shape.kind {
        Kind::Document { .. } => true,
        Kind::Opaque { .. } => !shape.whole,
        _ => false,
    }
}

#[track_caller]
const fn fail(field: &FieldDefinition, what: &str, help: &str) -> ! {
    refuse! {
        "`{}`{}", field.rust_name, what;
        help: "{}", help
    }
}
