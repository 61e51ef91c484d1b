//! Rule: `keyset_order`. The page is `guide/pages/rules/keyset_order.md`.

use crate::definition::{ModelDefinition, ResolvedPath, refuse};

const HELP: &str = "order by a field that every document has, for example a `DateTime` set at creation";

/// Judges a key of a subset's order. A subset is not read in pages.
#[track_caller]
pub(in crate::checks) const fn enforce_of_subset(model: &ModelDefinition, field: &str, path: &ResolvedPath) {
    if !path.shape.is_collection() && (path.shape.nullable || path.optional) {
        refuse! {
            "`{}.{}` may be null or absent, and a child without a value has no place in the order of the subset",
                model.model, field;
            help: HELP
        }
    }
    enforce(model, field, path);
}

#[track_caller]
pub(in crate::checks) const fn enforce(model: &ModelDefinition, field: &str, path: &ResolvedPath) {
    let why = if path.shape.is_collection() {
        "is an array or a map, and an order needs a single value of each document"
    } else if path.shape.nullable {
        "is an `Option`: a page that starts after a null would be empty"
    } else if path.optional {
        "may be absent from a document: a page that starts after an absent value would be empty"
    } else {
        return;
    };
    refuse! {
        "`{}.{}` {}", model.model, field, why;
        help: HELP
    }
}
