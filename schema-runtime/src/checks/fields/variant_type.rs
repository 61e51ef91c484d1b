//! Rule: `variant_type`. The page is `guide/pages/rules/variant_type.md`.

use crate::{
    definition::{FieldDefinition, Kind, Shape, copy_inside, each, find_stored, refuse},
    field::{Field, Record, Tagged},
};

/// Judges a field that is written in a variant.
#[track_caller]
pub const fn variant_field<R: Record>(at: usize) {
    enforce_no_copies(R::STRUCT, &R::FIELDS[at].shape);
}

/// Judges the single value `T` of a variant of `E`.
#[track_caller]
pub const fn variant_type<E: Tagged, T: Field>(variant: &str) {
    let shape = T::SHAPE;
    if !shape.whole {
        return;
    }
    let is_struct = matches!(shape.kind, Kind::Document { .. }) && shape.variants.is_none() && !shape.nullable;
    if !is_struct {
        let what = match (shape.nullable, shape.variants) {
            (true, _) => "an `Option`",
            (_, Some(_)) => "an enum with a separate tag",
            _ => super::field_type::kind(&shape),
        };
        refuse! {
            "`{}` holds {}, and the single value of a variant is a struct that derives `Embed`: the fields of the struct are stored with the tag",
                variant, what;
            help: "give the value a name in the variant: `{ value: .. }`"
        }
    }
    if let Some(FieldDefinition { rust_name, .. }) = find_stored(shape.fields(), E::VARIANTS.tag) {
        refuse! {
            "`{}` holds a struct, and the field `{}` of the struct is stored under the name of the tag", variant, rust_name;
            help: "give the field or the tag another name: `#[serde(rename = \"..\")]` on the field, or `#[serde(tag = \"..\")]` on the enum"
        }
    }
    enforce_no_copies(variant, &shape);
    let fields = shape.fields();
    each!(for field in fields {
        if let Some(flat) = field.flat {
            refuse! {
                "`{}` holds a struct with the flat field `{}`, and the fields of a variant are stored in the variant's own form", variant, flat.rust_name;
                help: "give the value a name in the variant: `{ value: .. }`"
            }
        }
    });
}

#[track_caller]
const fn enforce_no_copies(owner: &str, shape: &Shape) {
    if let Some(place) = copy_inside(shape, 0) {
        refuse! {
            "`{}` holds `{}` with the copy `{}`: a write of the source would change a different field in a different variant",
                owner, place.owner, place.copy.field;
            help: "put `{}` beside the enum, in the struct that holds the enum, or store a bare `Ref<..>` in the variant",
                place.owner
        }
    }
}
