//! How many documents a step would meet: those that a new validator refuses, and those that a unique index finds twice.
//! Reads the server.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{Change, Duplicates, Index, Step};
use crate::{
    definition::{FieldDefinition, Kind, ModelDefinition},
    document,
    error::{
        Error, Result,
        code::{ENDED_BY_OTHERS, is_unauthorized, server_code},
    },
    executor::Attempts,
};

/// How often a read that another client has ended begins again.
const MOST_READS: u32 = 20;

/// How many keys of duplicates are reported.
const SAMPLE: i32 = 3;

/// Counts what a step would meet, and writes it into the step.
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

/// A user who may not read the documents gets a plan without the counts.
fn allowed<T>(counted: Result<T>) -> Result<Option<T>> {
    match counted {
        Ok(counted) => Ok(Some(counted)),
        Err(Error::Driver(error)) if is_unauthorized(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How many documents do not pass a validator's rule, of those that pass another one, if one is given.
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
    let counted = first(collection, &pipeline, database).await?;
    Ok(counted.as_ref().map_or(0, |counted| document::count(counted.get("documents"))))
}

/// The first document that the pipeline gives. Where another client drops an index meanwhile, the server ends the read: it begins again.
async fn first(collection: &str, pipeline: &[Document], database: &Database) -> Result<Option<Document>> {
    let collection = database.collection::<Document>(collection);
    let read = async || collection.aggregate(pipeline.to_vec()).allow_disk_use(true).await?.try_next().await;
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

/// The keys that two or more documents have. It knows the arrays of the model; one where the model has none counts as one
/// value.
pub(crate) async fn count_duplicates(
    model: &ModelDefinition,
    index: &Index,
    database: &Database,
) -> Result<Duplicates> {
    let pipeline = duplicates_pipeline(index, &unwinds(model, index));
    let Some(counted) = first(model.collection, &pipeline, database).await? else { return Ok(Duplicates::default()) };
    let sample = match counted.get_array("sample") {
        Ok(sample) => sample.iter().filter_map(Bson::as_document).map(|keys| named(keys, index)).collect(),
        Err(_) => Vec::new(),
    };
    Ok(Duplicates { groups: document::count(counted.get("groups")), sample })
}

/// An index holds each element of an array once for a document, a missing value as null, and only the documents that its
/// filter lets in.
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

/// A dotted path cannot name a field of a `$group`.
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

/// The stored paths of the arrays that the keys of an index lead through, outer ones first, each once.
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
