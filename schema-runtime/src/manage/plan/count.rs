//! Counts the documents that a step would meet: documents that a new validator refuses, and documents with duplicate
//! keys for a unique index. Reads the server.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
    options::Collation,
};

use super::{Change, Duplicates, Index, Step};
use crate::{
    definition::{FieldDefinition, Kind, ModelDefinition},
    document,
    error::{
        Error, Result,
        code::{ENDED_BY_OTHERS, is_unauthorized, server_code},
    },
    executor::{Attempts, driver_collation},
};

/// The most times that a read begins again after another client has ended the read.
const MOST_READS: u32 = 20;

/// The number of duplicate keys in a report.
const SAMPLE: i32 = 3;

/// Counts the documents that a step would meet, and writes the count into the step.
pub(crate) async fn fill(step: &mut Step, model: &ModelDefinition, exists: bool, database: &Database) -> Result<()> {
    match &mut step.change {
        Change::SetValidator { new, refused, .. } => {
            *refused = allowed(refused_documents(&step.collection, &new.rule, None, database).await)?;
        }
        Change::CreateIndex { index, duplicates } if index.unique && !exists => {
            *duplicates = Some(Duplicates::default());
        }
        Change::CreateIndex { index: new, duplicates }
        | Change::ChangeIndex { new, duplicates, .. }
        | Change::RebuildIndex { new, duplicates, .. }
        | Change::IndexNameTaken { new, duplicates, .. }
            if new.unique =>
        {
            *duplicates = allowed(count_duplicates(model, new, database).await)?;
        }
        _ => {}
    }
    Ok(())
}

/// Maps a missing right to `None`: a user who may not read the documents gets a plan without the counts.
fn allowed<T>(counted: Result<T>) -> Result<Option<T>> {
    match counted {
        Ok(counted) => Ok(Some(counted)),
        Err(Error::Driver(error)) if is_unauthorized(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Counts the documents that do not pass the rule of a validator. With `passed`, counts only documents that pass the
/// rule `passed`.
pub(crate) async fn refused_documents(
    collection: &str,
    rule: &Document,
    passed: Option<&Document>,
    database: &Database,
) -> Result<u64> {
    let mut filter = doc! { "$nor": [rule.clone()] };
    if let Some(passed) = passed {
        filter.insert("$and", vec![passed.clone()]);
    }
    let pipeline = [doc! { "$match": filter }, doc! { "$count": "documents" }];
    let counted = first(collection, &pipeline, None, database).await?;
    Ok(counted.as_ref().map_or(0, |counted| document::count(counted.get("documents"))))
}

/// Returns the first document of the pipeline's result. When another client drops an index meanwhile, the server ends
/// the read, and the read begins again.
async fn first(
    collection: &str,
    pipeline: &[Document],
    collation: Option<Collation>,
    database: &Database,
) -> Result<Option<Document>> {
    let collection = database.collection::<Document>(collection);
    let read = async || {
        let aggregate = collection.aggregate(pipeline.to_vec()).allow_disk_use(true);
        let aggregate = match &collation {
            Some(collation) => aggregate.collation(collation.clone()),
            None => aggregate,
        };
        aggregate.await?.try_next().await
    };
    let is_ended =
        |error: &mongodb::error::Error| server_code(error).is_some_and(|number| ENDED_BY_OTHERS.contains(&number));
    let (mut attempts, mut again) = (Attempts::default(), 0);
    loop {
        match read().await {
            Err(error) if again < MOST_READS && is_ended(&error) => again = attempts.again().await?,
            read => return Ok(read?),
        }
    }
}

/// Counts the keys that two or more documents share, under the collation of the index. The count knows the arrays of
/// the model; an array that the model does not declare counts as a single value.
pub(crate) async fn count_duplicates(
    model: &ModelDefinition,
    index: &Index,
    database: &Database,
) -> Result<Duplicates> {
    let pipeline = duplicates_pipeline(index, &unwinds(model, index));
    let collation = index.collation.as_ref().and_then(driver_collation);
    let Some(counted) = first(model.collection, &pipeline, collation, database).await? else {
        return Ok(Duplicates::default());
    };
    let sample = match counted.get_array("sample") {
        Ok(sample) => sample.iter().filter_map(Bson::as_document).map(|keys| named(keys, index)).collect(),
        Err(_) => Vec::new(),
    };
    Ok(Duplicates { groups: document::count(counted.get("groups")), sample })
}

/// Returns the pipeline that counts duplicates. An index holds each element of an array once for a document, holds a
/// missing value as null, and holds only the documents that pass the filter of the index.
pub(crate) fn duplicates_pipeline(index: &Index, unwinds: &[String]) -> Vec<Document> {
    let mut pipeline = Vec::new();
    if let Some(partial) = &index.partial {
        pipeline.push(doc! { "$match": partial.clone() });
    }
    if index.sparse {
        let present: Vec<Document> = index.keys.keys().map(|path| doc! { path: { "$exists": true } }).collect();
        pipeline.push(doc! { "$match": { "$or": present } });
    }
    for path in unwinds {
        pipeline.push(doc! { "$unwind": { "path": format!("${path}"), "preserveNullAndEmptyArrays": true } });
    }
    let keys: Document = index
        .keys
        .keys()
        .enumerate()
        .map(|(at, path)| (key_name(at), Bson::Document(doc! { "$ifNull": [format!("${path}"), Bson::Null] })))
        .collect();
    if unwinds.is_empty() {
        pipeline.push(doc! { "$group": { "_id": keys, "documents": { "$sum": 1 } } });
    } else {
        pipeline.push(doc! { "$group": { "_id": { "document": "$_id", "keys": keys } } });
        pipeline.push(doc! { "$group": { "_id": "$_id.keys", "documents": { "$sum": 1 } } });
    }
    pipeline.push(doc! { "$match": { "documents": { "$gt": 1 } } });
    let sample = doc! { "$firstN": { "n": SAMPLE, "input": "$_id" } };
    pipeline.push(doc! { "$group": { "_id": Bson::Null, "groups": { "$sum": 1 }, "sample": sample } });
    pipeline
}

/// Returns the name of a key in a `$group`. A dotted path cannot name a field of a `$group`.
fn key_name(at: usize) -> String {
    format!("k{at}")
}

fn named(keys: &Document, index: &Index) -> Document {
    index
        .keys
        .keys()
        .enumerate()
        .filter_map(|(at, path)| Some((path.clone(), keys.get(key_name(at))?.clone())))
        .collect()
}

/// Returns the stored paths of the arrays on the way to the keys of an index: outer arrays first, each array once.
pub(crate) fn unwinds(model: &ModelDefinition, index: &Index) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for key in index.keys.keys() {
        let mut fields: &[FieldDefinition] = model.fields;
        let mut path = String::new();
        for name in key.split('.') {
            let Some(field) = fields.iter().find(|field| field.name == name) else { break };
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(name);
            let mut shape = field.shape;
            if matches!(shape.kind, Kind::Array { .. }) && !paths.contains(&path) {
                paths.push(path.clone());
            }
            while let Kind::Array { items, .. } = shape.kind {
                shape = *items;
            }
            fields = match shape.kind {
                Kind::Document { fields, .. } => fields,
                _ => &[],
            };
        }
    }
    paths
}
