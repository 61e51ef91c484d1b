//! Rule: `search_definition`. The page is `guide/pages/rules/search_definition.md`.
//!
//! The half of the rule that knows the field's type: a vector is a list of floats that is long enough for the
//! dimensions. `text` and `autocomplete` are of strings, and a facet is of a string, a number or a date. The filter of
//! a vector index compares strings, numbers, dates, bools and ids.

use crate::{
    checks::fields::{
        field_type::{innermost, kind},
        unknown_field,
    },
    definition::{Kind, Scalar, SearchForm, SearchIndexKind, Shape, digits, refuse},
    model::Model,
};

/// Judges field number `field` of search index number `index` of `M`.
#[track_caller]
pub const fn search_field<M: Model>(index: usize, field: usize) {
    let SearchIndexKind::Search { fields, .. } = M::DEFINITION.search_indexes[index].kind else { return };
    let field = &fields[field];
    let shape = unknown_field::enforce(M::DEFINITION, field.path).shape;
    let (shape, name) = (innermost(&shape), field.path[field.path.len() - 1]);
    match field.form {
        SearchForm::Text { .. } | SearchForm::Autocomplete => {
            if !is_text(&shape) {
                refuse! {
                    "`{}` is {}, and a search index finds words in strings", name, kind(&shape);
                    help: "name a `String`, an enum or an array of strings; write `{} = facet` for a number or a date",
                        name
                }
            }
        }
        SearchForm::Facet => {
            let fits = match shape.kind {
                Kind::Scalar(scalar) => is_number(scalar) || matches!(scalar, Scalar::DateTime),
                _ => is_text(&shape),
            };
            if !fits {
                refuse! {
                    "`{}` is {}, and a facet counts strings, numbers or dates", name, kind(&shape);
                    help: "name a string, an enum, a number of up to 64 bits or a `DateTime`"
                }
            }
        }
    }
}

/// Judges the vectors of vector index number `index` of `M`.
#[track_caller]
pub const fn vector_field<M: Model>(index: usize) {
    let SearchIndexKind::Vector(vector) = M::DEFINITION.search_indexes[index].kind else { return };
    let path = unknown_field::enforce(M::DEFINITION, vector.path);
    let name = vector.path[vector.path.len() - 1];
    let (items, max) = match path.shape.kind {
        Kind::Array { items, max, .. } => (items, max),
        _ => refuse! {
            "`{}` is {}, and a vector is a list of floats", name, kind(&path.shape);
            help: "store the vector as `#[bound(max_items = {})] {}: Vec<f64>`",
                digits(vector.dimensions as u64).as_str(), name
        },
    };
    if !matches!(items.kind, Kind::Scalar(Scalar::Double | Scalar::Single)) {
        refuse! {
            "`{}` is a list of {}, and a vector is a list of floats", name, of_items(items);
            help: "store the vector as a `Vec<f64>` or a `Vec<f32>`"
        }
    }
    if path.array_at < vector.path.len() {
        refuse! {
            "`{}` is inside of an array, and a document has one vector in a path", name;
            help: "store the vector beside the array"
        }
    }
    if let Some(max) = max
        && max < vector.dimensions as u64
    {
        refuse! {
            "`{}` has at most {} elements, and a vector of this index has {}",
                name, digits(max).as_str(), digits(vector.dimensions as u64).as_str();
            help: "write the number of dimensions as `max_items` of the field"
        }
    }
}

/// Judges field number `field` of the filter of vector index number `index` of `M`.
#[track_caller]
pub const fn vector_filter<M: Model>(index: usize, field: usize) {
    let SearchIndexKind::Vector(vector) = M::DEFINITION.search_indexes[index].kind else { return };
    let path = vector.filter[field];
    let shape = unknown_field::enforce(M::DEFINITION, path).shape;
    let shape = innermost(&shape);
    let fits = match shape.kind {
        Kind::Scalar(scalar) => {
            is_number(scalar) || matches!(scalar, Scalar::DateTime | Scalar::Bool | Scalar::ObjectId | Scalar::Uuid)
        }
        _ => is_text(&shape),
    };
    if !fits {
        refuse! {
            "`{}` is {}, and a filter compares strings, numbers, dates, bools and ids",
                path[path.len() - 1], kind(&shape);
            help: "remove the field from `filter(..)`, and compare the field in a later stage, with `$match`"
        }
    }
}

const fn is_text(shape: &Shape) -> bool {
    matches!(shape.kind, Kind::String { .. } | Kind::Enum(_))
}

/// True for the numbers that Atlas indexes: MongoDB's decimals are none of these.
const fn is_number(scalar: Scalar) -> bool {
    scalar.is_number() && !matches!(scalar, Scalar::Decimal128)
}

const fn of_items(items: &Shape) -> &'static str {
    match items.kind {
        Kind::Scalar(Scalar::Integer) => "integers",
        Kind::String { .. } => "strings",
        Kind::Array { .. } => "lists",
        _ => "other values",
    }
}
