//! Rule: `array_near_bound`. The page is `guide/pages/rules/array_near_bound.md`.

use std::{fmt, ops::ControlFlow};

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::EXAMPLES;
use crate::{
    definition::{BucketDefinition, FieldDefinition, Kind, ModelDefinition, Shape, Variants},
    document::count,
    error::{BoundUnit, Result},
    executor::Context,
    read::Aggregate,
    report::counted,
};

/// The arrays or maps of a field that are over the bound or near the bound.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ArrayNearBound {
    /// The model.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored path, with `*` for each element of an array or entry of a map: `addresses.*.tags`.
    pub field: String,
    /// The most elements or entries that the array or map may have.
    pub bound: u64,
    /// The unit of the bound.
    pub unit: BoundUnit,
    /// The number of documents with an array or map over the bound.
    pub over: u64,
    /// The number of further documents with an array or map within 10 % of the bound.
    pub near: u64,
    /// The documents with the largest arrays or maps, at most 5, the largest first.
    pub examples: Vec<LargeArray>,
}

/// A document with a large array or map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LargeArray {
    /// The document's `_id`.
    pub id: Bson,
    /// The size of the largest array or map in the document.
    pub size: u64,
}

impl fmt::Display for ArrayNearBound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ArrayNearBound { model, collection, field, bound, unit, .. } = self;
        let over = counted(self.over, "document", "documents");
        write!(formatter, "{model}.{field}: {over} of `{collection}` over the bound of {bound} {unit}")?;
        write!(formatter, ", {} within 10 % of it", self.near)?;
        for example in &self.examples {
            write!(formatter, "\n  {} has {}", example.id, example.size)?;
        }
        Ok(())
    }
}

/// The longest array or map of a field in a sample of documents, beside the bound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LongestArray {
    /// The stored path, with `*` for each element of an array or entry of a map.
    pub field: String,
    /// The most elements or entries that the array or map may have.
    pub bound: u64,
    /// The unit of the bound.
    pub unit: BoundUnit,
    /// The elements or entries of the longest array or map.
    pub longest: u64,
}

/// The depth to which arrays in arrays are checked. The expressions nest with the arrays, and a command may nest 200
/// levels.
const DEPTH: usize = 8;

/// Finds large arrays and maps. The server measures and counts, and answers with a single document, however large the
/// collection is.
pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<ArrayNearBound>> {
    let measures = measures(model);
    if measures.is_empty() {
        return Ok(Vec::new());
    }
    let aggregate = Aggregate { collection: Some(model.collection), pipeline: pipeline(&measures) };
    let mut found = Vec::new();
    let visit = |document: &RawDocument| {
        let counts = Document::try_from(document).map_err(mongodb::error::Error::from)?;
        for (position, measure) in measures.iter().enumerate() {
            found.extend(measure.finding(model, position, &counts));
        }
        Ok(ControlFlow::Continue(()))
    };
    aggregate.for_each(context, visit).await?;
    Ok(found)
}

/// Measures the bounded arrays and maps of a sample of documents. The server measures, and answers with a single
/// document.
pub(crate) async fn longest(
    model: &'static ModelDefinition,
    context: &Context,
    sample: i32,
) -> Result<Vec<LongestArray>> {
    let measures = measures(model);
    if measures.is_empty() {
        return Ok(Vec::new());
    }
    let mut group = doc! { "_id": null };
    for (position, measure) in measures.iter().enumerate() {
        group.insert(format!("longest{position}"), doc! { "$max": measure.size.clone() });
    }
    let pipeline = vec![doc! { "$sample": { "size": sample } }, doc! { "$group": group }];
    let answers = Aggregate { collection: Some(model.collection), pipeline }.all(context).await?;
    let answer = answers.into_iter().next().unwrap_or_default();
    let longest = measures.into_iter().enumerate().map(|(position, Measure { field, bound, unit, .. })| LongestArray {
        field,
        bound,
        unit,
        longest: count(answer.get(format!("longest{position}"))),
    });
    Ok(longest.collect())
}

/// Returns the measures for the documents of a model. A view has no stored documents: the pipeline makes each list.
fn measures(model: &ModelDefinition) -> Vec<Measure> {
    if model.options.kind.is_view() {
        return Vec::new();
    }
    // A subset and a history are full as a rule, and the writer of either keeps the bound.
    let is_full = |field: &&FieldDefinition| {
        field.history.is_some() || model.rollups.iter().any(|rollup| rollup.name == field.name)
    };
    let mut measures = match model.variants {
        Some(variants) => Measure::of_variants(variants),
        None => Measure::all(&model.fields.iter().filter(|field| !is_full(field)).copied().collect::<Vec<_>>()),
    };
    // A bucket is full as a rule, too; the arrays of the children are not.
    if model.bucket.is_some() {
        measures.retain(|measure| measure.field != BucketDefinition::ITEMS);
    }
    measures
}

/// The size of a field's largest array or map in a document.
#[derive(Debug)]
struct Measure {
    field: String,
    bound: u64,
    /// The smallest size that is near the bound.
    near: u64,
    unit: BoundUnit,
    /// The expression for the size that the server computes.
    size: Bson,
}

/// A step into the elements of an array, on the way to a value.
#[derive(Clone)]
struct Loop {
    elements: Document,
    variable: String,
}

/// The arrays and variants on the way to a value.
#[derive(Clone, Default)]
struct Way {
    loops: Vec<Loop>,
    /// The conditions that each enum on the way has the variant with the value.
    variants: Vec<Document>,
}

impl Way {
    fn to(&self, tag: String, variant: &str) -> Way {
        let mut way = self.clone();
        way.variants.push(doc! { "$eq": [tag, { "$literal": variant }] });
        way
    }
}

impl Measure {
    fn all(fields: &[FieldDefinition]) -> Vec<Measure> {
        let mut measures = Vec::new();
        for field in fields {
            value(&field.shape, &format!("${}", field.name), field.name, &Way::default(), &mut measures);
        }
        measures
    }

    /// Returns the measures of the documents of each variant.
    fn of_variants(variants: &Variants) -> Vec<Measure> {
        let mut measures = Vec::new();
        for variant in variants.list {
            let way = Way::default().to(format!("${}", variants.tag), variant.name);
            for field in variant.fields {
                value(&field.shape, &format!("${}", field.name), field.name, &way, &mut measures);
            }
        }
        measures
    }

    fn finding(&self, model: &ModelDefinition, position: usize, counts: &Document) -> Option<ArrayNearBound> {
        let (over, near) = (count(counts.get(format!("over{position}"))), count(counts.get(format!("near{position}"))));
        if over + near == 0 {
            return None;
        }
        let examples = counts.get_array(format!("largest{position}")).map(Vec::as_slice).unwrap_or_default();
        let examples = examples.iter().filter_map(Bson::as_document).map(|example| LargeArray {
            id: example.get("id").cloned().unwrap_or(Bson::Null),
            size: count(example.get("size")),
        });
        Some(ArrayNearBound {
            model: model.model,
            collection: model.collection,
            field: self.field.clone(),
            bound: self.bound,
            unit: self.unit,
            over,
            near,
            examples: examples.filter(|example| example.size >= self.near).collect(),
        })
    }
}

/// Adds the measures of a value and of all inner values. `at` is the server's expression for the value.
fn value(shape: &Shape, at: &str, field: &str, way: &Way, measures: &mut Vec<Measure>) {
    let (elements, items, min, max, unit, item) = match shape.kind {
        Kind::Document { fields, .. } => {
            let mut each = |fields: &[FieldDefinition], way: &Way| {
                for inner in fields {
                    let (at, field) = (format!("{at}.{}", inner.name), format!("{field}.{}", inner.name));
                    value(&inner.shape, &at, &field, way, measures);
                }
            };
            let Some(Variants { tag, list, .. }) = shape.variants else { return each(fields, way) };
            for variant in *list {
                each(variant.fields, &way.to(format!("{at}.{tag}"), variant.name));
            }
            return;
        }
        Kind::Array { items, min, max } => (array_or_none(at, way), items, min, max, BoundUnit::Elements, ""),
        Kind::Map { values, max } => (entries_or_none(at, way), values, 0, max, BoundUnit::Entries, ".v"),
        _ => return,
    };
    if let Some(bound) = max {
        let near = if min == bound { bound.saturating_add(1) } else { bound.saturating_mul(9).div_ceil(10).max(1) };
        let size = largest(doc! { "$size": elements.clone() }, &way.loops);
        measures.push(Measure { field: field.to_owned(), bound, near, unit, size });
    }
    if way.loops.len() < DEPTH {
        let variable = format!("e{}", way.loops.len());
        let (at, field) = (format!("$${variable}{item}"), format!("{field}.*"));
        let loops = [&way.loops[..], &[Loop { elements, variable }]].concat();
        // `elements` already depends on the variants on the way.
        value(items, &at, &field, &Way { loops, variants: Vec::new() }, measures);
    }
}

/// Returns the expression for the largest size over all elements of the loops.
fn largest(size: Document, loops: &[Loop]) -> Bson {
    let largest = loops.iter().rev().fold(size, |inner, each| {
        let map = doc! { "input": each.elements.clone(), "as": &each.variable, "in": inner };
        doc! { "$max": { "$map": map } }
    });
    Bson::Document(largest)
}

fn array_or_none(at: &str, way: &Way) -> Document {
    doc! { "$cond": [on(way, doc! { "$isArray": [at] }), at, []] }
}

fn entries_or_none(at: &str, way: &Way) -> Document {
    doc! { "$cond": [on(way, doc! { "$eq": [{ "$type": at }, "object"] }), { "$objectToArray": at }, []] }
}

/// Returns the condition, combined with the conditions on the variants of the way.
fn on(way: &Way, condition: Document) -> Document {
    if way.variants.is_empty() {
        return condition;
    }
    let mut all = way.variants.clone();
    all.push(condition);
    doc! { "$and": all }
}

fn pipeline(measures: &[Measure]) -> Vec<Document> {
    let mut sizes = Document::new();
    let mut any = Vec::new();
    let mut group = doc! { "_id": null };
    for (position, measure) in measures.iter().enumerate() {
        let name = format!("size{position}");
        let size = format!("${name}");
        let (bound, near) = (number(measure.bound), number(measure.near));
        let over = doc! { "$gt": [&size, bound] };
        let close = doc! { "$and": [{ "$gte": [&size, near] }, { "$lte": [&size, bound] }] };
        group.insert(format!("over{position}"), doc! { "$sum": { "$cond": [over, 1, 0] } });
        group.insert(format!("near{position}"), doc! { "$sum": { "$cond": [close, 1, 0] } });
        let output = doc! { "id": "$_id", "size": &size };
        let top = doc! { "n": EXAMPLES as i32, "sortBy": { &name: -1 }, "output": output };
        group.insert(format!("largest{position}"), doc! { "$topN": top });
        any.push(doc! { &name: { "$gte": near } });
        sizes.insert(name, measure.size.clone());
    }
    vec![doc! { "$project": sizes }, doc! { "$match": { "$or": any } }, doc! { "$group": group }]
}

/// Returns a size as an `i64`. No array has more elements than fit an `i64`.
fn number(size: u64) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{BucketField, CollectionKind, Target, ViewDefinition};

    const TAGS: Shape = Shape::list(&Shape::new(Kind::String { max_len: None })).max(5);
    const COMMENT: Shape = Shape::document("Comment", &[FieldDefinition::new("tags", "tags", TAGS)], true);
    static BUCKETS: ModelDefinition = ModelDefinition {
        fields: &[FieldDefinition::new("items", "items", Shape::list(&COMMENT).max(4))],
        ..ModelDefinition::broken("Comment")
    };

    #[test]
    fn a_full_bucket_is_healthy_and_a_full_array_of_a_child_is_not() {
        static BUCKET: BucketDefinition = BucketDefinition::new(4, BucketField::new("post", "post"));
        let fields = |model| measures(model).into_iter().map(|measure| measure.field).collect::<Vec<_>>();
        assert_eq!(fields(&BUCKETS), ["items", "items.*.tags"]);
        assert_eq!(fields(&BUCKETS.of_buckets(&BUCKET)), ["items.*.tags"]);
    }

    #[test]
    fn a_view_has_no_stored_documents() {
        const SOURCE: Target = Target { name: "Comment", definition: || &BUCKETS };
        let view = BUCKETS.of_kind(CollectionKind::View(ViewDefinition::new(SOURCE, &[], &[])));
        assert!(measures(&view).is_empty());
    }
}
