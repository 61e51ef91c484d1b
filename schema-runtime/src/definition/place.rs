//! The places of copies inside of a field: in an embedded struct, in an array of structs, deeper.

use super::{CopyDefinition, FieldDefinition, Kind, Shape, each};

/// A copy inside of a field of a model.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// The copy.
    pub(crate) copy: &'static CopyDefinition,
    /// The embedded struct that has the copy as a field.
    pub(crate) owner: &'static str,
    /// How many arrays lead to the copy.
    pub(crate) arrays: u64,
    /// True when a map leads to the copy.
    pub(crate) in_map: bool,
    /// True when a set leads to the copy.
    pub(crate) in_set: bool,
}

enum Search {
    Found(Place),
    /// The number of copies that the search passed.
    Passed(usize),
}

/// Returns copy number `at` inside of a value of this shape.
pub(crate) const fn copy_inside(shape: &Shape, at: usize) -> Option<Place> {
    match search(shape, at, (0, false, false)) {
        Search::Found(place) => Some(place),
        Search::Passed(_) => None,
    }
}

const fn search(shape: &Shape, at: usize, (arrays, in_map, in_set): (u64, bool, bool)) -> Search {
    match shape.kind {
        Kind::Array { items, .. } => search(items, at, (arrays + 1, in_map, in_set || shape.set)),
        Kind::Map { values, .. } => search(values, at, (arrays, true, in_set)),
        Kind::Document { name, fields, copies, .. } => {
            if at < copies.len() {
                return Search::Found(Place { copy: &copies[at], owner: name, arrays, in_map, in_set });
            }
            if at >= copies.len() + shape.nested.copies {
                return Search::Passed(copies.len() + shape.nested.copies);
            }
            let mut passed = copies.len();
            each!(for field in fields {
                match search(&field.shape, at - passed, (arrays, in_map, in_set)) {
                    Search::Found(place) => return Search::Found(place),
                    Search::Passed(more) => passed += more,
                }
            });
            Search::Passed(passed)
        }
        _ => Search::Passed(0),
    }
}

/// Returns the number of copies in values of these fields.
pub(super) const fn copies_inside(fields: &[FieldDefinition]) -> usize {
    let mut count = 0;
    each!(for field in fields {
        if let Search::Passed(passed) = search(&field.shape, usize::MAX, (0, false, false)) {
            count += passed;
        }
    });
    count
}

/// True when no embedded struct in the shape has a mistake.
pub(crate) const fn is_whole(shape: &Shape) -> bool {
    if !shape.whole {
        return false;
    }
    match shape.kind {
        Kind::Array { items, .. } => is_whole(items),
        Kind::Map { values, .. } => is_whole(values),
        Kind::Document { .. } => shape.nested.is_whole,
        _ => true,
    }
}

pub(super) const fn are_whole(fields: &[FieldDefinition]) -> bool {
    each!(for field in fields {
        if !is_whole(&field.shape) {
            return false;
        }
    });
    true
}
