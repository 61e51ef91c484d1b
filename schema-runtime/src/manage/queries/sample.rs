//! Reads values from stored documents, to use in the conditions of a query.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    definition::ConditionOperator,
    error::Result,
    executor::Context,
    field::{Pattern, equal},
    read,
};

/// A field that a query has a condition on.
pub(super) struct Asked {
    /// The stored path.
    pub(super) path: String,
    /// True when the query may ask for null.
    pub(super) or_null: bool,
}

/// Returns the values of up to `count` documents that hold a value at each path; for an array, the first element. When
/// no document holds all the values, null stands for each missing value that the query may ask for.
pub(super) async fn sampled(
    context: &Context,
    collection: &'static str,
    asked: &[Asked],
    count: i64,
) -> Result<Vec<Vec<Bson>>> {
    let samples = sampled_with(context, collection, asked, false, count).await?;
    if !samples.is_empty() || !asked.iter().any(|asked| asked.or_null) {
        return Ok(samples);
    }
    sampled_with(context, collection, asked, true, count).await
}

async fn sampled_with(
    context: &Context,
    collection: &'static str,
    asked: &[Asked],
    nulls: bool,
    count: i64,
) -> Result<Vec<Vec<Bson>>> {
    let needed = asked.iter().filter(|asked| !(nulls && asked.or_null));
    let has_all: Vec<Document> = needed.map(|asked| doc! { &asked.path: { "$nin": [null, []] } }).collect();
    let null = |asked: &Asked| (nulls && asked.or_null).then_some(Bson::Null);
    let filter = if has_all.is_empty() {
        doc! {}
    } else {
        doc! { "$and": has_all }
    };
    let pipeline = vec![doc! { "$match": filter }, doc! { "$sample": { "size": count } }];
    let mut replies = context.aggregate(Some(collection), pipeline, count as u32).await?;
    let mut samples = Vec::new();
    while let Some(batch) = replies.next().await {
        for document in read::parsed_in(&batch?)? {
            let values = asked.iter().map(|asked| value_at(&document, &asked.path).or_else(|| null(asked)));
            samples.extend(values.collect::<Option<Vec<Bson>>>());
        }
    }
    Ok(samples)
}

/// Returns the first value at a path.
fn value_at(document: &Document, path: &str) -> Option<Bson> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let value = document.get(first)?;
    inside(value, rest)
}

fn inside(value: &Bson, rest: Option<&str>) -> Option<Bson> {
    match (value, rest) {
        (Bson::Array(elements), rest) => elements.iter().find_map(|element| inside(element, rest)),
        (Bson::Document(document), Some(rest)) => value_at(document, rest),
        (Bson::Null, _) | (_, Some(_)) => None,
        (value, None) => Some(value.clone()),
    }
}

/// Returns a condition that finds at least the document with `value`. `all` also holds values of more documents.
pub(super) fn condition(operator: ConditionOperator, path: &str, value: Bson, all: Vec<Bson>) -> Document {
    match operator {
        // The server takes no document with a dollar in an `$in`.
        ConditionOperator::IsIn
            if all.iter().all(|value| !matches!(value, Bson::Document(_) | Bson::RegularExpression(_))) =>
        {
            doc! { path: { "$in": all } }
        }
        ConditionOperator::Equals | ConditionOperator::Contains | ConditionOperator::IsIn => {
            equal(path.to_owned(), value)
        }
        ConditionOperator::Between => doc! { path: { "$gte": value.clone(), "$lte": value } },
        ConditionOperator::More | ConditionOperator::NotLess => doc! { path: { "$gte": value } },
        ConditionOperator::Less | ConditionOperator::NotMore => doc! { path: { "$lte": value } },
        ConditionOperator::StartsWith => {
            let text = value.as_str().unwrap_or_default();
            let mut operators = Pattern::of_start(text).map_or_else(|_| doc! {}, |pattern| pattern.to_condition());
            operators.insert("$gte", "");
            doc! { path: operators }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_at_a_path() {
        let document = doc! { "a": { "b": [{ "c": null }, { "c": 7 }] }, "d": [], "e": ["x", "y"] };
        assert_eq!(value_at(&document, "a.b.c"), Some(Bson::Int32(7)));
        assert_eq!(value_at(&document, "e"), Some(Bson::from("x")));
        for path in ["d", "f", "e.g", "a.b.d"] {
            assert_eq!(value_at(&document, path), None, "{path}");
        }
    }
}
