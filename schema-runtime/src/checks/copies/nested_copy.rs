//! Rule: `nested_copy`. The page is `guide/pages/rules/nested_copy.md`.

use crate::definition::{FieldDefinition, Kind, ModelDefinition, Place, dotted, last_segment, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce(holder: &ModelDefinition, field: &FieldDefinition, place: &Place) {
    let copy = place.copy;
    let inside = match place {
        Place { in_map: true, .. } => " in a map, and a write of the source does not reach a copy in a map",
        Place { in_set: true, .. } => {
            " in a set, where equal elements would differ by the version that this crate stores beside each copy"
        }
        Place { arrays: 0 | 1, .. } => return,
        _ => " in an array inside of an array, and a write of the source does not reach a copy in an inner array",
    };
    if copy.tracks_source() {
        let source = last_segment(copy.source.target.name);
        refuse! {
            "`{}.{}` holds a copy of `{}.{}`{}",
                holder.model, field.rust_name, source, dotted(copy.from).as_str(), inside;
            help: "store each `{}` in a single `Vec` of the document; or add `snapshot` to the copy: the copy then keeps the value from the write of the reference",
                place.owner
        }
    }
}

/// Reports at the source a copy in an opaque field.
#[track_caller]
pub(in crate::checks) const fn enforce_opaque(holder: &ModelDefinition, field: &FieldDefinition) {
    if field.shape.whole && matches!(field.shape.kind, Kind::Opaque { raw: None, .. }) {
        refuse! {
            "`{}.{}` is `#[opaque(..)]`, and a write of the source does not reach a copy in an opaque field",
                holder.model, field.rust_name;
            help: "remove `#[opaque(..)]` there, or remove this `#[copied_to(..)]`"
        }
    }
}
