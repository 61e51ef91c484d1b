//! Rule: `sequence_behind`. The page is `guide/pages/rules/sequence_behind.md`.

use std::{fmt, ops::ControlFlow};

use mongodb::bson::{Bson, Document, RawDocument, doc};

use crate::{
    codec,
    definition::{BucketDefinition, FieldDefinition, LAST_NUMBER, ModelDefinition, stored_names::SEQUENCES},
    document::count,
    error::{Error, Result},
    executor::Context,
    read::{Aggregate, Query},
    report::counted,
};

/// Documents with numbers that the sequence of a field has not given yet.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SequenceBehind {
    /// The model.
    pub model: &'static str,
    /// The collection of the model.
    pub collection: &'static str,
    /// The stored path of the number.
    pub field: String,
    /// The name of the sequence.
    pub sequence: &'static str,
    /// The last number of the sequence; 0 for a sequence without a number.
    pub last: i64,
    /// The largest number of a document.
    pub largest: i64,
    /// The number of documents with a larger number than `last`.
    pub documents: u64,
}

impl fmt::Display for SequenceBehind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SequenceBehind { model, collection, field, sequence, last, largest, .. } = self;
        let documents = counted(self.documents, "document", "documents");
        write!(formatter, "{model}.{field}: {documents} of `{collection}` with numbers up to {largest}, ")?;
        write!(formatter, "and the sequence `{sequence}` has given the numbers up to {last}")
    }
}

/// Finds the sequences of a model that are behind. A model without sequences sends no command.
pub(super) async fn find(model: &'static ModelDefinition, context: &Context) -> Result<Vec<SequenceBehind>> {
    let mut found = Vec::new();
    for (field, path, is_child) in numbered(model) {
        let Some(sequence) = field.sequence else { continue };
        let counter = Query::by_id(SEQUENCES, sequence.into()).first(context).await?;
        let last = counter.and_then(|counter| codec::integer(&counter, LAST_NUMBER)).unwrap_or_default();
        found.extend(behind(model, (path, is_child), sequence, last, context).await?);
    }
    Ok(found)
}

/// Returns the fields with sequences, each with the stored path, and whether the field is of a child in a bucket.
fn numbered(model: &'static ModelDefinition) -> impl Iterator<Item = (&'static FieldDefinition, String, bool)> {
    let items = model.fields.iter().filter(|field| model.bucket.is_some() && field.name == BucketDefinition::ITEMS);
    let items: Vec<_> = items.map(|field| field.shape.item()).collect();
    let own = model.fields.iter().map(|field| (field, field.name.to_owned(), false));
    let of_items = items.into_iter().flat_map(|item| item.fields());
    let of_items = of_items.map(|field| (field, format!("{}.{}", BucketDefinition::ITEMS, field.name), true));
    own.chain(of_items).filter(|(field, ..)| field.sequence.is_some())
}

async fn behind(
    model: &'static ModelDefinition,
    (path, is_child): (String, bool),
    sequence: &'static str,
    last: i64,
    context: &Context,
) -> Result<Option<SequenceBehind>> {
    let larger = doc! { "$match": { &path: { "$gt": last } } };
    let each = is_child.then(|| doc! { "$unwind": format!("${}", BucketDefinition::ITEMS) });
    let again = is_child.then(|| larger.clone());
    let group = doc! { "_id": null, "count": { "$sum": 1_i64 }, "largest": { "$max": format!("${path}") } };
    let pipeline = [larger].into_iter().chain(each).chain(again).chain([doc! { "$group": group }]).collect();
    let mut found = None;
    let visit = |group: &RawDocument| {
        let group = Document::try_from(group).map_err(Error::encode)?;
        let largest = match group.get("largest") {
            Some(Bson::Int32(largest)) => i64::from(*largest),
            Some(Bson::Int64(largest)) => *largest,
            _ => i64::MAX,
        };
        let (model, collection, documents) = (model.model, model.collection, count(group.get("count")));
        found = Some(SequenceBehind { model, collection, field: path.clone(), sequence, last, largest, documents });
        Ok(ControlFlow::Break(()))
    };
    Aggregate { collection: Some(model.collection), pipeline }.for_each(context, visit).await?;
    Ok(found)
}
