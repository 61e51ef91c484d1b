//! Stored documents and filters: read and write the value at a path. Pure.

mod without_values;

use mongodb::bson::{Bson, Document, RawDocumentBuf};

pub(crate) use without_values::without_values;

use crate::{
    codec,
    error::{Error, Result},
};

/// Returns the value at a path of embedded documents; null where the path has no value.
pub(crate) fn value_at(document: &Document, path: &str) -> Bson {
    get_at(document, path).cloned().unwrap_or(Bson::Null)
}

/// Returns the value at a path of embedded documents; `None` where the path has no value.
pub(crate) fn get_at<'d>(document: &'d Document, path: &str) -> Option<&'d Bson> {
    match path.split_once('.') {
        Some((name, rest)) => get_at(document.get(name)?.as_document()?, rest),
        None => document.get(path),
    }
}

/// Returns a count from the server, of any numeric type; 0 where the value is no number.
pub(crate) fn count(value: Option<&Bson>) -> u64 {
    match value {
        Some(Bson::Int32(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Int64(number)) => u64::try_from(*number).unwrap_or_default(),
        Some(Bson::Double(number)) => *number as u64,
        _ => 0,
    }
}

/// Sets the value at a path of any length.
pub(crate) fn put_at(document: &mut Document, path: &str, value: Bson) {
    let Some((first, rest)) = path.split_once('.') else {
        document.insert(path, value);
        return;
    };
    if !matches!(document.get(first), Some(Bson::Document(_))) {
        document.insert(first, Document::new());
    }
    if let Some(Bson::Document(inner)) = document.get_mut(first) {
        put_at(inner, rest, value);
    }
}

/// Returns the value that a filter gives for a path; an upsert inserts the value.
pub(crate) fn equal_to<'f>(filter: &'f Document, path: &str) -> Option<&'f Bson> {
    equalities(filter).into_iter().find_map(|(name, value)| (name == path).then_some(value))
}

/// Returns the values that a filter gives for paths, which an upsert inserts: by a value alone, by `$eq`, by `$in` or
/// `$all` of one value; the condition may stand beside further conditions, or as the only alternative of an `$or`.
pub(crate) fn equalities(filter: &Document) -> Vec<(&str, &Bson)> {
    let mut all = Vec::new();
    for (key, condition) in filter {
        match (key.as_str(), condition) {
            ("$and", Bson::Array(conditions)) => {
                all.extend(conditions.iter().filter_map(Bson::as_document).flat_map(equalities));
            }
            ("$or", Bson::Array(conditions)) => {
                if let [Bson::Document(only)] = &conditions[..] {
                    all.extend(equalities(only));
                }
            }
            (key, _) if key.starts_with('$') => {}
            (path, condition) => all.extend(equality(condition).map(|value| (path, value))),
        }
    }
    all
}

/// Returns whether a condition on a field holds operators, and no value: `{ $gt: 3 }`.
pub(crate) fn is_operators(condition: &Document) -> bool {
    condition.keys().next().is_some_and(|name| name.starts_with('$'))
}

/// Returns the only value that fulfils a condition on a field; `None` for any other condition.
fn equality(condition: &Bson) -> Option<&Bson> {
    let Bson::Document(operators) = condition else {
        return Some(condition).filter(|value| !matches!(value, Bson::RegularExpression(_)));
    };
    if !is_operators(operators) {
        return Some(condition);
    }
    let one_of = |name: &str| match operators.get(name)?.as_array().map(Vec::as_slice) {
        Some([Bson::Document(value)]) if value.keys().any(|name| name.starts_with('$')) => None,
        Some([value]) => Some(value).filter(|value| !matches!(value, Bson::RegularExpression(_))),
        _ => None,
    };
    operators.get("$eq").or_else(|| one_of("$in")).or_else(|| one_of("$all"))
}

/// Returns a filter for the same documents; an upsert by the filter does not insert the values for which `is_left_out`
/// is true.
pub(crate) fn not_inserting(filter: Document, is_left_out: &dyn Fn(&str, &Bson) -> bool) -> Document {
    let of_each = |conditions: Vec<Bson>| -> Bson {
        let of_one = |condition| match condition {
            Bson::Document(condition) => not_inserting(condition, is_left_out).into(),
            other => other,
        };
        Bson::Array(conditions.into_iter().map(of_one).collect())
    };
    let conditions = filter.into_iter().map(|(key, condition)| match condition {
        Bson::Array(conditions) if matches!(key.as_str(), "$and" | "$or") => (key, of_each(conditions)),
        condition if key.starts_with('$') => (key, condition),
        condition => match equality(&condition).filter(|value| is_left_out(&key, value)).cloned() {
            Some(value) => (key, without_equality(condition, value)),
            None => (key, condition),
        },
    });
    conditions.collect()
}

/// Returns the condition as a choice of two values; the second value is never stored.
fn without_equality(condition: Bson, value: Bson) -> Bson {
    let one_of_two = Bson::Array(vec![value, Bson::MinKey]);
    let mut operators = match condition {
        Bson::Document(operators) if is_operators(&operators) => operators,
        _ => Document::new(),
    };
    ["$eq", "$in", "$all"].iter().for_each(|name| drop(operators.remove(name)));
    operators.insert("$in", one_of_two);
    operators.into()
}

/// Returns the field of the document that contains the value at a path.
pub(crate) fn top_field(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// Returns whether a path leads to a place inside of the field at `field`.
pub(crate) fn is_inside(path: &str, field: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns whether a path leads to the field at `field` or to a place inside of the field.
pub(crate) fn leads_to(path: &str, field: &str) -> bool {
    path == field || is_inside(path, field)
}

/// Parses documents from bytes; the bytes of each document are freed after the parse.
pub(crate) fn parse_all(documents: Vec<RawDocumentBuf>) -> Result<Vec<Document>> {
    documents.into_iter().map(|document| Document::try_from(&*document).map_err(Error::encode)).collect()
}

/// Encodes documents as bytes; each document is freed after the encoding.
pub(crate) fn encode_all(documents: Vec<Document>) -> Result<Vec<RawDocumentBuf>> {
    documents.into_iter().map(|document| codec::encode(&document).map_err(Error::encode)).collect()
}
