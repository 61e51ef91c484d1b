//! Finds children that match a filter, in any bucket: a `$match` selects the buckets that may have matching children,
//! an `$unwind` makes documents of the children, and the filter is applied to each child. Pure.

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::layout::{ITEM_ID, ITEMS, Layout};
use crate::error::{Error, Result};

/// The part of a filter that applies to a bucket: the part holds for each bucket with a child for which the filter
/// holds.
#[derive(Default)]
struct Asked {
    /// Conditions on the bucket itself.
    bucket: Vec<Document>,
    /// Conditions on one and the same child.
    child: Vec<Document>,
}

/// Returns the stages that select the buckets with possible matches and turn the buckets into children. The filter
/// itself must follow.
///
/// # Errors
/// [`Error::Query`] for a condition that the server supports only on whole documents.
pub(super) fn stages(layout: &Layout, filter: &Document) -> Result<Vec<Document>> {
    let of_buckets = asked_of(layout, filter)?.into_filter();
    let mut stages = layout.unwind();
    if !of_buckets.is_empty() {
        stages.insert(0, doc! { "$match": of_buckets });
    }
    Ok(stages)
}

impl Asked {
    fn add(&mut self, other: Asked) {
        self.bucket.extend(other.bucket);
        self.child.extend(other.child);
    }

    fn into_filter(mut self) -> Document {
        if let Some(child) = all(self.child) {
            self.bucket.push(doc! { ITEMS: { "$elemMatch": child } });
        }
        all(self.bucket).unwrap_or_default()
    }
}

/// Joins all conditions by `$and`; `None` without conditions.
fn all(mut conditions: Vec<Document>) -> Option<Document> {
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(doc! { "$and": conditions }),
    }
}

fn asked_of(layout: &Layout, filter: &Document) -> Result<Asked> {
    let mut asked = Asked::default();
    for (key, value) in filter {
        asked.add(asked_by(layout, key, value)?);
    }
    Ok(asked)
}

fn asked_by(layout: &Layout, key: &str, value: &Bson) -> Result<Asked> {
    let mut asked = Asked::default();
    let condition = doc! { key: value.clone() };
    match (key, value) {
        ("$and", Bson::Array(all)) => {
            for filter in all.iter().filter_map(Bson::as_document) {
                asked.add(asked_of(layout, filter)?);
            }
        }
        ("$or" | "$nor", Bson::Array(each)) => {
            let each = each.iter().filter_map(Bson::as_document);
            let parts = each.map(|filter| asked_of(layout, filter)).collect::<Result<Vec<Asked>>>()?;
            if is_of_children(layout, key, value) {
                asked.child.push(condition);
            } else if key == "$or" {
                let parts: Vec<Document> = parts.into_iter().map(Asked::into_filter).collect();
                // An empty part matches any child.
                if parts.iter().all(|part| !part.is_empty()) {
                    asked.bucket.push(doc! { "$or": parts });
                }
            }
        }
        ("$text", _) => return Err(refused("a text index")),
        (operator, _) if operator.starts_with('$') => {}
        _ if is_near(value) => return Err(refused("`near`")),
        (name, _) if is_parent(layout, name) => asked.bucket.push(condition),
        (name, _) => {
            if name == "_id" && is_one_of(value) {
                asked.bucket.push(doc! { ITEM_ID: value.clone() });
            }
            if let Some((span, _)) = layout.bucket.by.filter(|(_, time)| time.name == name) {
                let bounds = bounds(value, |time| span.start(time));
                if !bounds.is_empty() {
                    asked.bucket.push(doc! { span.word(): bounds });
                }
            }
            asked.child.push(condition);
        }
    }
    Ok(asked)
}

fn refused(what: &'static str) -> Error {
    match what {
        "`near`" => Error::Query {
            message: "the server sorts whole documents by `near`, no children in buckets: ask with `within`",
        },
        _ => Error::Query { message: "the server asks a text index for whole documents, not for children in buckets" },
    }
}

fn is_parent(layout: &Layout, name: &str) -> bool {
    let parent = layout.bucket.parent.name;
    name.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns whether a condition applies only to fields of the children.
fn is_of_children(layout: &Layout, key: &str, value: &Bson) -> bool {
    match (key, value) {
        ("$and" | "$or" | "$nor", Bson::Array(each)) => each
            .iter()
            .filter_map(Bson::as_document)
            .all(|filter| filter.iter().all(|(key, value)| is_of_children(layout, key, value))),
        (operator, _) if operator.starts_with('$') => false,
        (name, _) => !is_parent(layout, name),
    }
}

fn is_near(value: &Bson) -> bool {
    value
        .as_document()
        .is_some_and(|operators| ["$near", "$nearSphere"].iter().any(|near| operators.contains_key(near)))
}

/// Returns whether a condition compares a value with one or several given values: the condition then also holds for a
/// bucket with a child of a matching value.
fn is_one_of(value: &Bson) -> bool {
    match value {
        Bson::Document(operators) => operators.keys().all(|operator| operator == "$eq" || operator == "$in"),
        Bson::RegularExpression(_) => false,
        _ => true,
    }
}

/// Returns the condition on the span of a bucket: the spans that contain a time for which the condition holds.
fn bounds(value: &Bson, start: impl Fn(DateTime) -> DateTime) -> Document {
    let Bson::Document(operators) = value else {
        return value.as_datetime().map(|time| doc! { "$eq": start(*time) }).unwrap_or_default();
    };
    let mut bounds = Document::new();
    for (operator, value) in operators {
        let Some(time) = value.as_datetime() else { continue };
        match operator.as_str() {
            "$gt" | "$gte" => bounds.insert("$gte", start(*time)),
            "$lt" | "$lte" => bounds.insert("$lte", start(*time)),
            "$eq" => bounds.insert("$eq", start(*time)),
            _ => None,
        };
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{BucketDefinition, BucketField, ModelDefinition, Span};

    const BUCKET: BucketDefinition = BucketDefinition::new(10, BucketField::new("post", "post"))
        .order(BucketField::new("time", "time"))
        .by(Span::Day, BucketField::new("time", "time"));
    const MODEL: ModelDefinition = ModelDefinition { collection: "comments", ..ModelDefinition::broken("Comment") };

    fn of_buckets(filter: Document) -> Document {
        let layout = Layout { model: &MODEL, bucket: &BUCKET };
        asked_of(&layout, &filter).unwrap().into_filter()
    }

    #[test]
    fn fields_of_the_parent_are_of_buckets_and_others_of_one_child() {
        let asked = of_buckets(doc! { "post": 7, "author": "a", "$and": [{ "likes": { "$gt": 3 } }] });
        let child = doc! { "$and": [{ "author": "a" }, { "likes": { "$gt": 3 } }] };
        assert_eq!(asked, doc! { "$and": [{ "post": 7 }, { "items": { "$elemMatch": child } }] });
        assert_eq!(of_buckets(doc! { "post.x": 7 }), doc! { "post.x": 7 });
        assert_eq!(of_buckets(doc! { "posted": 7 }), doc! { "items": { "$elemMatch": { "posted": 7 } } });
    }

    #[test]
    fn an_id_is_looked_for_in_its_index_where_it_is_one_of_some() {
        let one = doc! { "$and": [{ "items._id": { "$in": [1, 2] } }, { "items": { "$elemMatch": { "_id": { "$in": [1, 2] } } } }] };
        assert_eq!(of_buckets(doc! { "_id": { "$in": [1, 2] } }), one);
        for other in [doc! { "$ne": 1 }, doc! { "$nin": [1] }, doc! { "$gt": 1 }] {
            let asked = of_buckets(doc! { "_id": other.clone() });
            assert_eq!(asked, doc! { "items": { "$elemMatch": { "_id": other } } });
        }
    }

    #[test]
    fn one_of_several_is_of_buckets_where_each_is() {
        let of_children = doc! { "$or": [{ "a": 1 }, { "b": 2 }] };
        assert_eq!(of_buckets(of_children.clone()), doc! { "items": { "$elemMatch": of_children } });
        let mixed = doc! { "$or": [{ "post": 1 }, { "b": 2 }] };
        assert_eq!(of_buckets(mixed), doc! { "$or": [{ "post": 1 }, { "items": { "$elemMatch": { "b": 2 } } }] });
        for unknown in [
            doc! { "$or": [{ "post": 1 }, { "$expr": true }] },
            doc! { "$nor": [{ "post": 1 }, { "b": 2 }] },
            doc! { "$expr": { "$gt": ["$a", "$b"] } },
            doc! {},
        ] {
            assert_eq!(of_buckets(unknown), doc! {});
        }
        let none = doc! { "$nor": [{ "a": 1 }] };
        assert_eq!(of_buckets(none.clone()), doc! { "items": { "$elemMatch": none } });
    }

    #[test]
    fn a_time_says_the_day() {
        let day = |days: i64| DateTime::from_millis(days * 24 * 60 * 60 * 1_000);
        let noon = |days: i64| DateTime::from_millis(day(days).timestamp_millis() + 12 * 60 * 60 * 1_000);
        let filter = doc! { "time": { "$gte": noon(1), "$lt": noon(3) } };
        let expected = doc! { "$and": [{ "day": { "$gte": day(1), "$lte": day(3) } }, { "items": { "$elemMatch": filter.clone() } }] };
        assert_eq!(of_buckets(filter), expected);
        let asked = of_buckets(doc! { "time": noon(2) });
        assert_eq!(asked.get_array("$and").unwrap()[0], Bson::from(doc! { "day": { "$eq": day(2) } }));
        assert_eq!(of_buckets(doc! { "time": { "$ne": noon(2) } }).keys().collect::<Vec<_>>(), ["items"]);
    }

    #[test]
    fn what_is_of_whole_documents_is_refused() {
        let layout = Layout { model: &MODEL, bucket: &BUCKET };
        for filter in [doc! { "$text": { "$search": "a" } }, doc! { "$and": [{ "place": { "$nearSphere": [1, 2] } }] }]
        {
            assert!(matches!(stages(&layout, &filter), Err(Error::Query { .. })), "{filter}");
        }
    }
}
