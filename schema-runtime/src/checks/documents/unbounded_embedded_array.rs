//! Rule: `unbounded_embedded_array`. The page is `guide/pages/rules/unbounded_embedded_array.md`.
//!
//! The half of the rule that sees through aliases, newtypes and generic wrappers, where the derive sees only a name.

use crate::definition::{FieldDefinition, Kind, Shape, each, refuse};

#[track_caller]
pub(in crate::checks) const fn enforce(owner: &str, field: &FieldDefinition) {
    let what = match field.shape.kind {
        Kind::Array { max: None, .. } => "is an array without a bound",
        Kind::Map { max: None, .. } => "is a map without a bound",
        Kind::Opaque { max_bytes: 0, raw: Some(_), .. } => "holds BSON of any form, without a bound",
        _ if holds_unbounded_raw(&field.shape) => "holds values of any form, without a bound",
        _ if is_unbounded(&field.shape) => "holds an inner array or map without a bound",
        _ => return,
    };
    refuse! {
        "`{}.{}` {}, and a document with this field can grow past MongoDB's limit of 16 MiB",
            owner, field.rust_name, what;
        help: "{}", help(&field.shape)
    }
}

/// Returns the help text that says how to bound an array of such elements.
const fn help(shape: &Shape) -> &'static str {
    if holds_unbounded_raw(shape) {
        return match shape.is_collection() {
            true => {
                "write `#[bound(max_items = N, max_bytes = M)]` on the field, with the most bytes of each value as BSON"
            }
            false => "write `#[bound(max_bytes = N)]` on the field, with the most bytes of the value as BSON",
        };
    }
    if !shape.is_collection() {
        return "store an inner array in a `BoundedVec<T, N>`: the type has the bound";
    }
    match shape.item().kind {
        Kind::Array { .. } | Kind::Map { .. } => {
            "write `#[bound(max_items = N)]` on the field and store each inner array in a `BoundedVec<T, N>`"
        }
        Kind::Document { .. } => {
            "write `#[relation(one_to_few, embed, max = N)]` on the field, or give the structs a separate collection, with `#[relation(one_to_squillions, parent_ref)]` in each struct"
        }
        _ => {
            "write `#[bound(max_items = N)]` on the field; for references, `#[relation(one_to_many, child_refs, max = N)]`"
        }
    }
}

/// True when the shape, or the shape of each element or entry, is a raw value without a bound.
const fn holds_unbounded_raw(shape: &Shape) -> bool {
    matches!(shape.item().kind, Kind::Opaque { max_bytes: 0, raw: Some(_), .. })
}

/// True when some array, map or raw value in the shape has no bound. A struct that its own derive has judged is not
/// judged again.
const fn is_unbounded(shape: &Shape) -> bool {
    match shape.kind {
        Kind::Array { max, items, .. } => max.is_none() || is_unbounded(items),
        Kind::Map { max, values } => max.is_none() || is_unbounded(values),
        Kind::Document { fields, judged: false, .. } => {
            each!(for field in fields {
                if is_unbounded(&field.shape) {
                    return true;
                }
            });
            false
        }
        Kind::Opaque { max_bytes, raw, .. } => max_bytes == 0 && raw.is_some(),
        _ => false,
    }
}
