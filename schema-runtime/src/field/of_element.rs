//! Conditions on an element of an array, for the places where the server takes conditions on elements: `$elemMatch`,
//! `$pull` and array filters. Pure.
//!
//! For an element that is a document, the server takes any condition on the fields of the element. For any other
//! element, the server takes operators that all hold, with at most one `$not`. The module writes every further
//! condition as an equivalent list of operators.

mod cases;

use mongodb::bson::{Bson, Document, doc};

use super::{PathNode, condition};
use crate::error::{Error, Result};

/// Returns the condition that the array at `path` has an element for which `condition` holds. The condition is on
/// documents, or, with the empty path, on the element itself.
pub(super) fn elem_match(field: &PathNode<'_>, condition: Result<Document>) -> Result<Document> {
    elem_match_at(&field.join(), condition?)
}

/// Writes the condition of [`elem_match`] for the array at a stored path.
pub(crate) fn elem_match_at(path: &str, condition: Document) -> Result<Document> {
    if condition.is_empty() {
        return Ok(match path {
            "" => doc! { path: { "$elemMatch": { "$exists": true } } },
            path => doc! { format!("{path}.0"): { "$exists": true } },
        });
    }
    if !names_the_element(&condition) && !is_constant(&condition) {
        return Ok(doc! { path: { "$elemMatch": condition } });
    }
    if path.is_empty()
        && let Ok(operators) = cases::operators(&condition)
    {
        // A single operator of an element can be negated; a list of several alternatives cannot always be negated.
        return Ok(doc! { path: { "$elemMatch": operators } });
    }
    let some = cases::alternatives(&condition)?.into_iter().map(|operators| doc! { path: { "$elemMatch": operators } });
    Ok(some.reduce(condition::or).unwrap_or_else(condition::nothing))
}

/// Writes a condition on an element as the condition of an update's `pull`.
pub(super) fn pull(condition: Document) -> Result<Document> {
    if condition.is_empty() {
        // The empty document would match documents only.
        return Ok(doc! { "$exists": true });
    }
    if !names_the_element(&condition) && !is_constant(&condition) {
        return Ok(condition);
    }
    let operators = cases::operators(&condition)?;
    if operators.keys().next().is_some_and(|name| name == "$not") {
        // The server looks at the first name, and does not take `$not` for an operator.
        let mut after = doc! { "$exists": true };
        after.extend(operators);
        return Ok(after);
    }
    Ok(operators)
}

/// Writes a condition on an element as an array filter: every name begins with the identifier of the element.
pub(super) fn prefixed(condition: Document, identifier: &str) -> Result<Document> {
    if condition.iter().any(|(name, value)| is_nothing(name, value)) {
        return Ok(doc! { identifier: { "$in": [] } });
    }
    let mut all = Document::new();
    for (name, value) in condition {
        match value {
            Bson::Array(list) if name.starts_with('$') => {
                let each = list.into_iter().map(|condition| prefixed(as_condition(condition)?, identifier));
                all.insert(name, each.collect::<Result<Vec<_>>>()?);
            }
            _ if name.starts_with('$') => return Err(NO_WORDS),
            value if name.is_empty() => drop(all.insert(identifier, value)),
            value => drop(all.insert(format!("{identifier}.{name}"), value)),
        }
    }
    // The server requires a name in each condition of an array filter.
    Ok(if all.is_empty() {
        doc! { identifier: { "$exists": true } }
    } else {
        all
    })
}

/// Returns whether the condition is on the element itself, not on fields of the element.
pub(super) fn names_the_element(condition: &Document) -> bool {
    condition.iter().any(|(name, value)| match value {
        _ if name.is_empty() => true,
        Bson::Array(list) if name.starts_with('$') => list.iter().filter_map(Bson::as_document).any(names_the_element),
        _ => false,
    })
}

/// Returns whether the condition holds for every element or for no element.
fn is_constant(condition: &Document) -> bool {
    let is_operator = |(name, value): (&String, &Bson)| match value {
        Bson::Array(list) if matches!(name.as_str(), "$and" | "$or" | "$nor") => {
            list.iter().all(|one| one.as_document().is_some_and(is_constant))
        }
        value => is_nothing(name, value),
    };
    condition.iter().all(is_operator)
}

/// Returns whether the pair is the condition of [`condition::nothing`].
fn is_nothing(name: &str, value: &Bson) -> bool {
    condition::nothing().get(name) == Some(value)
}

const NO_WORDS: Error = Error::Filter {
    message: "the server cannot express this condition on an element: write the condition with fewer `|` and `!`, and \
              compare either the element or fields of the element",
};

fn as_condition(value: Bson) -> Result<Document> {
    match value {
        Bson::Document(condition) => Ok(condition),
        _ => Err(NO_WORDS),
    }
}
