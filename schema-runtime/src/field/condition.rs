//! Conditions in the server's words. Pure: documents in, documents out. A value is always an operand, never an
//! operator.

use mongodb::bson::{Bson, Document, doc};

use super::{PathNode, Pattern};
use crate::{
    definition::{Kind, Shape},
    error::Result,
};

/// Returns the condition that `path` equals `value`. A document or a pattern is wrapped in `$eq`: the operand of `$eq`
/// is always a value.
pub(crate) fn equal(path: String, value: Bson) -> Document {
    match value {
        Bson::Document(_) | Bson::RegularExpression(_) => doc! { path: { "$eq": value } },
        value => doc! { path: value },
    }
}

/// Returns the condition that a field equals a value; `value` may be the error of a failed encoding.
pub(super) fn equals(field: &PathNode<'_>, value: Result<Bson>) -> Result<Document> {
    Ok(match value? {
        value if could_be_an_element(field, &value) => equal_as_a_whole(&field.join(), &value),
        value => equal(field.join(), value),
    })
}

/// Returns the condition that the field does not equal the value.
pub(super) fn differs(field: &PathNode<'_>, value: Result<Bson>) -> Result<Document> {
    Ok(match value? {
        value if could_be_an_element(field, &value) => nor(vec![equal_as_a_whole(&field.join(), &value)]),
        value => doc! { field.join(): { "$ne": value } },
    })
}

/// Returns whether the value is an array and the field's array may have arrays as elements: the server then compares
/// the value with the elements, too. The empty path is an element, and an element may be an array.
fn could_be_an_element(field: &PathNode<'_>, value: &Bson) -> bool {
    let may_hold_arrays = |shape: &Shape| match shape.kind {
        Kind::Array { items, .. } => matches!(items.kind, Kind::Array { .. } | Kind::Opaque { .. }),
        kind => matches!(kind, Kind::Opaque { .. }),
    };
    matches!(value, Bson::Array(_)) && field.shape().is_none_or(may_hold_arrays)
}

fn equal_as_a_whole(path: &str, value: &Bson) -> Document {
    doc! { path: { "$eq": value, "$not": { "$elemMatch": { "$eq": value } } } }
}

/// Returns the condition that a field fulfils an operator.
pub(super) fn compares(field: &PathNode<'_>, operator: &str, operand: Result<Bson>) -> Result<Document> {
    Ok(doc! { field.join(): { operator: operand? } })
}

/// Returns the condition that a field fulfils operators.
pub(super) fn holds(field: &PathNode<'_>, operators: Document) -> Result<Document> {
    Ok(doc! { field.join(): operators })
}

/// Returns the condition that the string matches the pattern. For a pattern with a fixed beginning, the condition on a
/// field that may be null also asks for a string: to the server, a pattern alone does not imply the condition of an
/// index that leaves null out.
pub(super) fn matches(field: &PathNode<'_>, pattern: &Pattern) -> Result<Document> {
    let mut operators = pattern.to_condition();
    if pattern.has_beginning() && field.may_be_null() {
        operators.insert("$gte", "");
    }
    holds(field, operators)
}

/// Returns the condition that a field is between two ends, each with an operator; without an end, the condition holds
/// for every document.
pub(super) fn between(field: &PathNode<'_>, ends: [Option<(&str, Result<Bson>)>; 2]) -> Result<Document> {
    let mut operators = Document::new();
    for (operator, value) in ends.into_iter().flatten() {
        operators.insert(operator, value?);
    }
    if operators.is_empty() { Ok(operators) } else { holds(field, operators) }
}

/// Returns the condition that `path` equals one of the values. The server reads a pattern in `$in` as a pattern, and
/// refuses a document in `$in` that looks like an operator: with such a value in the list, each value is compared
/// separately.
pub(super) fn among(field: &PathNode<'_>, values: Result<Vec<Bson>>) -> Result<Document> {
    Ok(one_of(field, values?))
}

fn one_of(field: &PathNode<'_>, values: Vec<Bson>) -> Document {
    let path = field.join();
    if values.iter().any(|value| could_be_an_element(field, value)) {
        let (whole, others): (Vec<_>, Vec<_>) = values.into_iter().partition(|value| could_be_an_element(field, value));
        let whole = whole.iter().map(|value| equal_as_a_whole(&path, value));
        let each = whole.chain((!others.is_empty()).then(|| one_of(field, others)));
        return doc! { "$or": each.collect::<Vec<_>>() };
    }
    if values.iter().any(looks_like_an_operator) {
        let each: Vec<Document> = values.into_iter().map(|value| doc! { &path: { "$eq": value } }).collect();
        return doc! { "$or": each };
    }
    doc! { path: { "$in": values } }
}

/// Returns the condition that `path` equals none of the values.
pub(super) fn not_among(field: &PathNode<'_>, values: Result<Vec<Bson>>) -> Result<Document> {
    let values = values?;
    if values.iter().any(|value| looks_like_an_operator(value) || could_be_an_element(field, value)) {
        return Ok(nor(vec![one_of(field, values)]));
    }
    Ok(doc! { field.join(): { "$nin": values } })
}

/// Returns the condition that the array at `path` has an element that equals `value`.
pub(super) fn contains(field: &PathNode<'_>, value: Result<Bson>) -> Result<Document> {
    let path = field.join();
    Ok(match value? {
        value if path.is_empty() || is_compared_with_elements(&value) => {
            doc! { path: { "$elemMatch": { "$eq": value } } }
        }
        value => doc! { path: value },
    })
}

/// Returns the condition that the array at `path` has one of the values as an element; an empty list matches no
/// document.
pub(super) fn contains_any(field: &PathNode<'_>, values: Result<Vec<Bson>>) -> Result<Document> {
    let values = values?;
    if !values.is_empty() && field.join().is_empty() || values.iter().any(is_compared_with_elements) {
        let each: Result<Vec<Document>> = values.into_iter().map(|value| contains(field, Ok(value))).collect();
        return Ok(doc! { "$or": each? });
    }
    holds(field, doc! { "$in": values })
}

/// Returns whether the value could also equal the whole array or an absent array, or be read as a pattern.
fn is_compared_with_elements(value: &Bson) -> bool {
    matches!(value, Bson::Array(_) | Bson::Null | Bson::RegularExpression(_) | Bson::Document(_))
}

/// Returns the condition that the array has each of the values as an element; an empty list matches every document.
pub(super) fn contains_all(field: &PathNode<'_>, values: Result<Vec<Bson>>) -> Result<Document> {
    let each = values?.into_iter().map(|value| doc! { "$elemMatch": { "$eq": value } });
    let each: Vec<Document> = each.collect();
    if each.is_empty() { Ok(Document::new()) } else { holds(field, doc! { "$all": each }) }
}

/// Returns whether a filter has a condition on the whole document (`$text`) or an operator of a field (`$nearSphere`).
/// The server takes both in few places only.
pub(crate) fn asks(filter: &Document, name: &str) -> bool {
    filter.iter().any(|(key, value)| match value {
        Bson::Array(conditions) if matches!(key.as_str(), "$and" | "$or" | "$nor") => {
            conditions.iter().filter_map(Bson::as_document).any(|condition| asks(condition, name))
        }
        Bson::Document(operators) => key == name || operators.contains_key(name),
        _ => false,
    })
}

/// Returns whether a filter sorts by the distance to a place, which the server takes in few places only.
pub(crate) fn asks_place(filter: &Document) -> bool {
    asks(filter, "$nearSphere") || asks(filter, "$near")
}

/// Returns a condition that no document matches.
pub(crate) fn nothing() -> Document {
    doc! { "_id": { "$in": [] } }
}

/// Limits a condition on a field of a variant to documents of the variant: another variant may store a different value
/// under the same name.
pub(crate) fn of_variants(field: &PathNode<'_>, condition: Document) -> Document {
    let tags: Document = field.tags().into_iter().map(|(tag, name)| (tag, Bson::from(name))).collect();
    if tags.is_empty() { condition } else { and(tags, condition) }
}

/// Returns the condition that both conditions hold: side by side where the names differ or the values are equal, else
/// in one flat list.
pub(crate) fn and(mut left: Document, mut right: Document) -> Document {
    if right.iter().all(|(name, value)| left.get(name).is_none_or(|earlier| earlier == value)) {
        left.extend(right);
        return left;
    }
    // Operators of an element itself stand side by side, too.
    if let ([("", Bson::Document(of_left))], [("", Bson::Document(of_right))]) = (&pairs(&left)[..], &pairs(&right)[..])
        && of_right.keys().all(|name| !of_left.contains_key(name))
    {
        let mut both = (*of_left).clone();
        both.extend((*of_right).clone());
        return doc! { "": both };
    }
    if !matches!(left.get("$and"), Some(Bson::Array(_))) {
        left = doc! { "$and": [left] };
    }
    if let Some(Bson::Array(list)) = left.get_mut("$and") {
        if let Some(Bson::Array(more)) = right.get_mut("$and") {
            list.append(more);
            right.remove("$and");
        }
        if !right.is_empty() {
            list.push(right.into());
        }
    }
    left
}

/// Returns the condition that one of the two conditions holds.
pub(crate) fn or(mut left: Document, right: Document) -> Document {
    if let [("$or", Bson::Array(_))] = pairs(&left)[..]
        && let Some(Bson::Array(list)) = left.get_mut("$or")
    {
        list.push(right.into());
        return left;
    }
    doc! { "$or": [left, right] }
}

/// Returns the condition that no condition holds.
pub(crate) fn nor(conditions: Vec<Document>) -> Document {
    if conditions.is_empty() {
        Document::new()
    } else {
        doc! { "$nor": conditions }
    }
}

fn pairs(document: &Document) -> Vec<(&str, &Bson)> {
    document.iter().map(|(name, value)| (name.as_str(), value)).collect()
}

/// Counts the levels of documents and arrays in a condition, with the condition itself. In a condition with more than
/// `most` levels, the count looks at one level more and no further.
pub(super) fn depth(condition: &Document, most: usize) -> usize {
    1 + condition.values().map(|value| depth_of_value(value, most)).max().unwrap_or(0)
}

fn depth_of_value(value: &Bson, most: usize) -> usize {
    match (value, most) {
        (Bson::Document(inner), 1..) => depth(inner, most - 1),
        (Bson::Array(list), 1..) => 1 + list.iter().map(|value| depth_of_value(value, most - 1)).max().unwrap_or(0),
        _ => 0,
    }
}

pub(super) fn looks_like_an_operator(value: &Bson) -> bool {
    match value {
        Bson::RegularExpression(_) => true,
        Bson::Document(document) => document.keys().any(|key| key.starts_with('$')),
        _ => false,
    }
}
