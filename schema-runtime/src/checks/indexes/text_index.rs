//! Rule: `text_index`. The page is `guide/pages/rules/text_index.md`.
//!
//! The half of the rule that knows the field's type: `text(..)` is for strings, the keys beside `text(..)` are in no
//! array, and the field of `language_field` is a string of each document. The server refuses documents that break the
//! last two (201 and 17261).

use crate::{
    checks::fields::{
        field_type::{innermost, kind},
        unknown_field,
    },
    definition::{IndexKey, IndexKind, Kind, ResolvedPath, refuse},
    model::Model,
};

/// Judges a key of words.
#[track_caller]
pub(in crate::checks) const fn enforce(key: &IndexKey, path: &ResolvedPath) {
    let shape = innermost(&path.shape);
    if !matches!(shape.kind, Kind::String { .. } | Kind::Enum(_) | Kind::Opaque { .. }) {
        refuse! {
            "`{}` is {}, and a text index holds the words of strings", key.path[key.path.len() - 1], kind(&shape);
            help: "name a `String` or an array of strings in `text(..)`; write another key beside `text(..)`"
        }
    }
}

/// Judges a key beside the keys of words.
#[track_caller]
pub(in crate::checks) const fn enforce_beside(key: &IndexKey, path: &ResolvedPath) {
    if path.array_at > 0 {
        refuse! {
            "`{}` is in an array, and MongoDB refuses each document with an array in a key beside `text(..)`",
                key.path[key.path.len() - 1];
            help: "remove the key, or move the field into `text(..)`"
        }
    }
}

/// Judges the field that names the language of a document, of index number `index` of `M`.
#[track_caller]
pub const fn text_language<M: Model>(index: usize) {
    let definition = M::DEFINITION;
    let index = &definition.all_indexes[index];
    let IndexKind::Text(text) = &index.kind else { return };
    let Some(field) = text.language_field else { return };
    let path = unknown_field::enforce_in(definition, definition.fields_of(index, &[field]), &[field]);
    let is_text = matches!(path.shape.kind, Kind::String { .. } | Kind::Enum(_));
    if !is_text || path.shape.nullable && !path.skippable {
        refuse! {
            "`{}` is {}, and MongoDB refuses each document in which `language_field` is no string",
                field, if is_text { "written as null for `None`" } else { kind(&path.shape) };
            help: "store a `String` or an enum with the names of MongoDB's languages, as `norwegian`; or add `#[serde(skip_serializing_if = \"Option::is_none\")]`"
        }
    }
}
