//! Rule: `flat_field`. The page is `guide/pages/rules/flat_field.md`.

use super::field_type::kind;
use crate::definition::{
    FieldDefinition, JsonField, Kind, ModelDefinition, Shape, copy_inside, each, refuse,
    stored_names::{MOVING, TREE_TOUCH, is_beside_derived},
    str_eq,
};

/// Judges the struct in the flat field `name` of `owner`; `fields` are all fields of `owner`.
#[track_caller]
pub(in crate::checks) const fn enforce(
    owner: &str,
    fields: &'static [FieldDefinition],
    name: &'static str,
    shape: &Shape,
) {
    if !shape.whole {
        return;
    }
    enforce_struct(name, shape);
    enforce_values(name, shape);
    let mut at = 0;
    while at < fields.len() {
        if is_of(&fields[at], name) {
            let (earlier, _) = fields.split_at(at);
            enforce_names(owner, fields, earlier, &fields[at], name);
        }
        at += 1;
    }
}

/// Judges the type of the flat field.
#[track_caller]
const fn enforce_struct(name: &str, shape: &Shape) {
    let what = match (shape.kind, shape.nullable, shape.variants) {
        (_, true, _) => "an `Option`",
        (Kind::Document { .. }, _, None) => return,
        (Kind::Document { .. }, _, Some(_)) => "an enum that holds data",
        _ => kind(shape),
    };
    refuse! {
        "`{}` is {}, and `#[embed(flat)]` stores the fields of a struct that derives `Embed`", name, what;
        help: "remove `#[embed(flat)]` and `#[serde(flatten)]`: the field is then stored under the name `{}`", name
    }
}

/// Judges the values in the flat struct.
#[track_caller]
const fn enforce_values(name: &str, shape: &Shape) {
    let Kind::Document { name: of, .. } = shape.kind else { return };
    if copy_inside(shape, 0).is_some() {
        refuse! {
            "`{}` is flat, and `{}` holds copies: the writes of a source find a copy by a path, and a flat struct has no path",
                name, of;
            help: "remove `#[embed(flat)]` and `#[serde(flatten)]`; or move the reference and the copies out of `{}`", of
        }
    }
    if let Some(raw) = raw_in(shape) {
        refuse! {
            "`{}` is flat, and `{}.{}` holds BSON of any form: serde may read the value in another form than serde writes",
                name, of, raw;
            help: "remove `#[embed(flat)]` and `#[serde(flatten)]`; or move `{}` out of `{}`", raw, of
        }
    }
    if let Some((opaque, attribute)) = opaque_in(shape) {
        refuse! {
            "`{}` is flat, and `{}.{}` is `#[{}(..)]`: serde may read the value in another form than serde writes",
                name, of, opaque, attribute;
            help: "remove `#[embed(flat)]` and `#[serde(flatten)]`; or move `{}` out of `{}`", opaque, of
        }
    }
}

/// Compares the names of a field inside the flat struct with the names of the earlier fields.
#[track_caller]
const fn enforce_names(
    owner: &str,
    fields: &[FieldDefinition],
    earlier: &[FieldDefinition],
    field: &FieldDefinition,
    name: &str,
) {
    each!(for other in earlier {
        if !is_of(other, name) {
            if str_eq(other.name, field.name) {
                refuse! {
                    "`{}.{}` and `{}.{}` are both stored as `{}`",
                        owner, other.rust_path().as_str(), owner, field.rust_path().as_str(), field.name;
                    help: "give one field another name with `#[serde(rename = \"..\")]`; or embed `{}` under a name, without `#[embed(flat)]` and `#[serde(flatten)]`",
                        name
                }
            }
            if let (Some(one), Some(two)) = (json_name(fields, other), json_name(fields, field))
                && str_eq(one, two)
            {
                refuse! {
                    "`{}.{}` and `{}.{}` are both called `{}` in JSON",
                        owner, other.rust_path().as_str(), owner, field.rust_path().as_str(), one;
                    help: "give one field another name with `#[json(rename = \"..\")]`"
                }
            }
        }
    });
}

/// Refuses the names that this crate stores beside derived data.
#[track_caller]
pub(in crate::checks) const fn enforce_reserved(model: &ModelDefinition, name: &str) {
    if !model.derives() {
        return;
    }
    let fields = model.fields;
    each!(for field in fields {
        let of_tree = model.has_tree() && (str_eq(field.name, TREE_TOUCH) || str_eq(field.name, MOVING));
        if is_of(field, name) && (is_beside_derived(field.name) || of_tree) {
            refuse! {
                "`{}.{}` is stored as `{}`, a name that is reserved for a field of this crate",
                    model.model, field.rust_path().as_str(), field.name;
                help: "give the field another name with `#[serde(rename = \"..\")]`"
            }
        }
    });
}

pub(in crate::checks) const fn is_of(field: &FieldDefinition, name: &str) -> bool {
    matches!(field.flat, Some(flat) if str_eq(flat.rust_name, name))
}

/// Returns the name in JSON; `None` for a skipped field. An `_id` is called `id`, unless another field is.
const fn json_name(fields: &[FieldDefinition], field: &FieldDefinition) -> Option<&'static str> {
    match field.json {
        JsonField::Renamed(name) => return Some(name),
        JsonField::Skipped => return None,
        JsonField::AsStored => {}
    }
    if !str_eq(field.name, "_id") {
        return Some(field.name);
    }
    each!(for other in fields {
        let is_id = match other.json {
            JsonField::Renamed(name) => str_eq(name, "id"),
            JsonField::Skipped => false,
            JsonField::AsStored => str_eq(other.name, "id"),
        };
        if is_id {
            return Some("_id");
        }
    });
    Some("id")
}

/// Returns the name of the first field of the struct with a raw value inside.
const fn raw_in(shape: &Shape) -> Option<&'static str> {
    let fields = shape.fields();
    each!(for field in fields {
        if is_raw(&field.shape) {
            return Some(field.rust_name);
        }
    });
    None
}

const fn is_raw(shape: &Shape) -> bool {
    match shape.kind {
        Kind::Opaque { raw, .. } => shape.whole && raw.is_some(),
        Kind::Array { items, .. } => is_raw(items),
        Kind::Map { values, .. } => is_raw(values),
        Kind::Document { .. } => raw_in(shape).is_some(),
        _ => false,
    }
}

/// Returns the name of the first field of the struct with a value inside that serde writes by code of its own, and the
/// attribute of the value.
const fn opaque_in(shape: &Shape) -> Option<(&'static str, &'static str)> {
    let fields = shape.fields();
    each!(for field in fields {
        if let Some(attribute) = attribute_in(&field.shape) {
            return Some((field.rust_name, attribute));
        }
    });
    None
}

/// Returns the attribute of a value that serde writes by code of its own; `None` for a value that this crate knows.
const fn attribute_in(shape: &Shape) -> Option<&'static str> {
    match shape.kind {
        _ if shape.stored_as.is_some() => Some("stored_as"),
        Kind::Opaque { .. } if shape.whole && shape.form.is_none() => Some("opaque"),
        Kind::Array { items, .. } => attribute_in(items),
        Kind::Map { values, .. } => attribute_in(values),
        Kind::Document { .. } => match opaque_in(shape) {
            Some((_, attribute)) => Some(attribute),
            None => None,
        },
        _ => None,
    }
}
