//! Conditions in the server's words. Pure: documents in, documents out. A value is always an operand, never an operator.

use mongodb::bson::{Bson, Document, doc};

use super::PathNode;
use crate::error::{Error, Result};

/// `path` equals `value`: a document or a pattern is wrapped in `$eq`, which takes it as it is.
pub(crate) fn equal(path: String, value: Bson) -> Document {
    match value {
        Bson::Document(_) | Bson::RegularExpression(_) => doc! { path: { "$eq": value } },
        value => doc! { path: value },
    }
}

/// The same of a field and a value that could perhaps not be encoded.
pub(super) fn equals(field: &PathNode, value: Result<Bson>) -> Result<Document> {
    Ok(equal(field.join(), value?))
}

/// What an operator says of a field.
pub(super) fn compares(field: &PathNode, operator: &str, operand: Result<Bson>) -> Result<Document> {
    Ok(doc! { field.join(): { operator: operand? } })
}

/// What operators say of a field.
pub(super) fn holds(field: &PathNode, operators: Document) -> Result<Document> {
    Ok(doc! { field.join(): operators })
}

/// A field is between two ends, each with its operator; without an end it is of every document.
pub(super) fn between(field: &PathNode, ends: [Option<(&str, Result<Bson>)>; 2]) -> Result<Document> {
    let mut operators = Document::new();
    for (operator, value) in ends.into_iter().flatten() {
        operators.insert(operator, value?);
    }
    if operators.is_empty() { Ok(operators) } else { holds(field, operators) }
}

/// `path` equals one of the values. The server reads a pattern in `$in` as one, and refuses a document that looks like an
/// operator there: with such a value among them each is compared on its own.
pub(super) fn among(field: &PathNode, values: Result<Vec<Bson>>) -> Result<Document> {
    Ok(one_of(field.join(), values?))
}

fn one_of(path: String, values: Vec<Bson>) -> Document {
    if values.iter().any(looks_like_an_operator) {
        let each: Vec<Document> = values.into_iter().map(|value| doc! { &path: { "$eq": value } }).collect();
        return doc! { "$or": each };
    }
    doc! { path: { "$in": values } }
}

/// `path` equals none of the values.
pub(super) fn not_among(field: &PathNode, values: Result<Vec<Bson>>) -> Result<Document> {
    let (path, values) = (field.join(), values?);
    if values.iter().any(looks_like_an_operator) {
        return Ok(nor(vec![one_of(path, values)]));
    }
    Ok(doc! { path: { "$nin": values } })
}

/// The array at `path` has an element that equals `value`.
pub(super) fn contains(field: &PathNode, value: Result<Bson>) -> Result<Document> {
    let path = field.join();
    Ok(match value? {
        value if is_compared_with_elements(&value) => doc! { path: { "$elemMatch": { "$eq": value } } },
        value => doc! { path: value },
    })
}

/// The array at `path` has one of the values as an element; no values are no document.
pub(super) fn contains_any(field: &PathNode, values: Result<Vec<Bson>>) -> Result<Document> {
    let values = values?;
    if values.iter().any(is_compared_with_elements) {
        let each: Result<Vec<Document>> = values.into_iter().map(|value| contains(field, Ok(value))).collect();
        return Ok(doc! { "$or": each? });
    }
    holds(field, doc! { "$in": values })
}

/// Whether the value could also be equal to the whole array, or to an absent one, or be read as a pattern.
fn is_compared_with_elements(value: &Bson) -> bool {
    matches!(value, Bson::Array(_) | Bson::Null | Bson::RegularExpression(_) | Bson::Document(_))
}

/// The array has each of the values as an element; no values are every document.
pub(super) fn contains_all(field: &PathNode, values: Result<Vec<Bson>>) -> Result<Document> {
    let each = values?.into_iter().map(|value| doc! { "$elemMatch": { "$eq": value } });
    let each: Vec<Document> = each.collect();
    if each.is_empty() { Ok(Document::new()) } else { holds(field, doc! { "$all": each }) }
}

/// Some of these words are in the text index. A quote or a minus would have a meaning to the server.
pub(super) fn text(words: &str) -> Document {
    let plain: String = words.chars().map(|letter| if matches!(letter, '"' | '-') { ' ' } else { letter }).collect();
    doc! { "$text": { "$search": plain } }
}

/// Whether a condition of the whole document (`$text`) or an operator of a field (`$nearSphere`) is in a filter. The server takes both
/// in few places only.
pub(crate) fn asks(filter: &Document, name: &str) -> bool {
    filter.iter().any(|(key, value)| match value {
        Bson::Array(conditions) if matches!(key.as_str(), "$and" | "$or" | "$nor") => {
            conditions.iter().filter_map(Bson::as_document).any(|condition| asks(condition, name))
        }
        Bson::Document(operators) => key == name || operators.contains_key(name),
        _ => false,
    })
}

/// What a filter asks, without the values: for logs.
pub(crate) fn without_values(filter: &Document) -> Document {
    let shown = |(name, value): (&String, &Bson)| {
        let shown = match value {
            Bson::Array(list) if matches!(name.as_str(), "$and" | "$or" | "$nor") => {
                let each =
                    list.iter().map(|part| part.as_document().map_or_else(hidden, |part| without_values(part).into()));
                Bson::Array(each.collect())
            }
            Bson::Document(inner) if matches!(name.as_str(), "$elemMatch" | "$not") => without_values(inner).into(),
            Bson::Document(inner)
                if !name.starts_with('$') && inner.keys().next().is_some_and(|key| key.starts_with('$')) =>
            {
                without_values(inner).into()
            }
            _ => hidden(),
        };
        (name.clone(), shown)
    };
    filter.iter().map(shown).collect()
}

fn hidden() -> Bson {
    Bson::from("?")
}

/// Of no document.
pub(crate) fn nothing() -> Document {
    doc! { "_id": { "$in": [] } }
}

/// A condition on a field of a variant is one on documents of that variant, whatever it says: another variant may store something
/// else under the name.
pub(crate) fn of_variants(field: &PathNode, condition: Document) -> Document {
    let tags: Document = field.tags().into_iter().map(|(tag, name)| (tag, Bson::from(name))).collect();
    if tags.is_empty() { condition } else { and(tags, condition) }
}

/// Both hold: side by side where their names differ, or say the same.
pub(crate) fn and(mut left: Document, right: Document) -> Document {
    if right.iter().all(|(name, value)| left.get(name).is_none_or(|earlier| earlier == value)) {
        left.extend(right);
        return left;
    }
    // Of an element itself, operators stand side by side too.
    if let ([("", Bson::Document(of_left))], [("", Bson::Document(of_right))]) = (&pairs(&left)[..], &pairs(&right)[..])
        && of_right.keys().all(|name| !of_left.contains_key(name))
    {
        let mut both = (*of_left).clone();
        both.extend((*of_right).clone());
        return doc! { "": both };
    }
    if let [("$and", Bson::Array(_))] = pairs(&left)[..]
        && let Some(Bson::Array(list)) = left.get_mut("$and")
    {
        list.push(right.into());
        return left;
    }
    doc! { "$and": [left, right] }
}

/// One of the two holds.
pub(crate) fn or(mut left: Document, right: Document) -> Document {
    if let [("$or", Bson::Array(_))] = pairs(&left)[..]
        && let Some(Bson::Array(list)) = left.get_mut("$or")
    {
        list.push(right.into());
        return left;
    }
    doc! { "$or": [left, right] }
}

/// None holds.
pub(crate) fn nor(conditions: Vec<Document>) -> Document {
    if conditions.is_empty() {
        Document::new()
    } else {
        doc! { "$nor": conditions }
    }
}

/// The array at `path` has an element for which `condition` holds. The condition is one on documents, or, with the empty
/// path, one on the element itself.
pub(super) fn elem_match(field: &PathNode, condition: Result<Document>) -> Result<Document> {
    elem_match_at(&field.join(), condition?)
}

/// The same of the array at a stored path.
pub(crate) fn elem_match_at(path: &str, condition: Document) -> Result<Document> {
    if condition.is_empty() {
        return Ok(doc! { format!("{path}.0"): { "$exists": true } });
    }
    if !names_the_element(&condition) {
        return Ok(doc! { path: { "$elemMatch": condition } });
    }
    let some = operators(condition)?.into_iter().map(|operators| doc! { path: { "$elemMatch": operators } });
    Ok(some.reduce(or).unwrap_or_default())
}

/// A condition on an element as the condition of an update's `pull`.
pub(super) fn pull(condition: Document) -> Result<Document> {
    if condition.is_empty() {
        // The empty document is one that only documents match.
        return Ok(doc! { "$exists": true });
    }
    if names_the_element(&condition) { operators_of_element(condition) } else { Ok(condition) }
}

/// A condition on an element as an array filter: every name begins with the identifier of the element.
pub(super) fn prefixed(condition: Document, identifier: &str) -> Result<Document> {
    if names_the_element(&condition) {
        return Ok(doc! { identifier: operators_of_element(condition)? });
    }
    let mut all = Document::new();
    for (name, value) in condition {
        match value {
            Bson::Array(list) if name.starts_with('$') => {
                let each = list.into_iter().map(|condition| prefixed(as_condition(condition)?, identifier));
                all.insert(name, each.collect::<Result<Vec<_>>>()?);
            }
            _ if name.starts_with('$') => return Err(NO_WORDS),
            value => {
                all.insert(format!("{identifier}.{name}"), value);
            }
        }
    }
    Ok(all)
}

/// A condition on an element itself as operators, all of which hold.
fn operators_of_element(condition: Document) -> Result<Document> {
    let mut alternatives = operators(condition)?;
    match (alternatives.pop(), alternatives.is_empty()) {
        (Some(operators), true) => Ok(operators),
        _ => Err(NO_WORDS),
    }
}

/// Whether the condition is on the element itself, not on fields of it.
pub(super) fn names_the_element(condition: &Document) -> bool {
    condition.iter().any(|(name, value)| match value {
        _ if name.is_empty() => true,
        Bson::Array(list) if name.starts_with('$') => list.iter().filter_map(Bson::as_document).any(names_the_element),
        _ => false,
    })
}

const NO_WORDS: Error = Error::Filter {
    message: "the server has no words for this condition on an element that is no document: use `and` of different operators",
};

/// A condition on an element itself, as alternatives, each of which is operators that all hold.
fn operators(condition: Document) -> Result<Vec<Document>> {
    let mut alternatives = vec![Document::new()];
    for (name, value) in condition {
        let next = match (name.as_str(), value) {
            ("", Bson::Document(operators)) if operators.keys().next().is_some_and(|name| name.starts_with('$')) => {
                vec![operators]
            }
            ("", value) => vec![doc! { "$eq": value }],
            ("$or", Bson::Array(list)) => {
                let mut some = Vec::new();
                for condition in list {
                    some.extend(operators(as_condition(condition)?)?);
                }
                some
            }
            ("$and", Bson::Array(list)) => {
                let mut all = vec![Document::new()];
                for condition in list {
                    all = both(all, operators(as_condition(condition)?)?)?;
                }
                all
            }
            ("$nor", Bson::Array(list)) => {
                let mut none = vec![Document::new()];
                for condition in list {
                    for operators in operators(as_condition(condition)?)? {
                        none = both(none, vec![doc! { "$not": operators }])?;
                    }
                }
                none
            }
            _ => return Err(NO_WORDS),
        };
        alternatives = both(alternatives, next)?;
    }
    Ok(alternatives)
}

fn both(left: Vec<Document>, right: Vec<Document>) -> Result<Vec<Document>> {
    let mut all = Vec::new();
    for one in &left {
        for other in &right {
            let mut together = one.clone();
            for (name, value) in other {
                if together.insert(name.clone(), value.clone()).is_some() {
                    return Err(NO_WORDS);
                }
            }
            all.push(together);
        }
    }
    Ok(all)
}

fn as_condition(value: Bson) -> Result<Document> {
    match value {
        Bson::Document(condition) => Ok(condition),
        _ => Err(NO_WORDS),
    }
}

fn pairs(document: &Document) -> Vec<(&str, &Bson)> {
    document.iter().map(|(name, value)| (name.as_str(), value)).collect()
}

fn looks_like_an_operator(value: &Bson) -> bool {
    match value {
        Bson::RegularExpression(_) => true,
        Bson::Document(document) => document.keys().any(|key| key.starts_with('$')),
        _ => false,
    }
}
