//! Rule: `nested_copy`
//!
//! A copy is followed in the document itself, in an embedded struct, or in one array of them: the path `parts.$[c].name`, with the
//! reference as the condition. Not in an array inside an array, where one condition would have to pin each level, nor in a map or
//! an `#[opaque]` value, whose keys no path of the struct names. In a set the version that is kept beside a copy would make two
//! values of one. A `snapshot` may stand anywhere.
//!
//! Source: MongoDB, "`$[<identifier>]`": it stands for the elements of one array.

use super::incomplete_schema::last_segment;
use crate::definition::{FieldDefinition, Kind, Message, ModelDefinition, Place};

#[track_caller]
pub(super) const fn enforce(holder: &ModelDefinition, field: &FieldDefinition, place: &Place) {
    let copy = place.copy;
    let inside = match place {
        Place { in_map: true, .. } => " in a map, where it could not be followed",
        Place { in_set: true, .. } => {
            " in a set, where the version that this crate keeps beside it would make two values of one"
        }
        Place { arrays: 0 | 1, .. } => return,
        _ => " in an array inside an array, where it could not be followed",
    };
    if copy.tracks_source() {
        let source = last_segment(copy.source.target.name);
        Message::new()
            .field(holder.model, &[field.rust_name])
            .text(" holds a copy of ")
            .field(source, copy.from)
            .text(inside)
            .text("\nhelp: keep each ")
            .code(place.owner)
            .text(" in one `Vec` of the document, or say `snapshot` at the copy: it then keeps the value of its day\nrule: nested_copy")
            .fail()
    }
}

/// At the source: what is copied to an opaque field.
#[track_caller]
pub(super) const fn enforce_opaque(holder: &ModelDefinition, field: &FieldDefinition) {
    if field.shape.whole && matches!(field.shape.kind, Kind::Opaque { .. }) {
        Message::new()
            .field(holder.model, &[field.rust_name])
            .text(" is opaque, so that a copy in it could not be followed\nhelp: remove `#[opaque(..)]` there, or this\nrule: nested_copy")
            .fail()
    }
}
