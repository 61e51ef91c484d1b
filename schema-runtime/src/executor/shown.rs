//! The commands of operations as documents, in the form in which the driver sends the commands.

use mongodb::{
    Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{
        AggregateOptions, CountOptions, DeleteOptions, DistinctOptions, FindOneAndDeleteOptions,
        FindOneAndUpdateOptions, FindOptions, ReplaceOptions, ReturnDocument, SelectionCriteria, UpdateModifications,
        UpdateOptions,
    },
};
use serde::Serialize;

use crate::codec;

/// Returns the command with the concerns of a database, outside of a transaction.
pub(super) fn with_concerns(mut command: Document, database: &Database) -> Document {
    let is_read = command.keys().next().is_some_and(|name| matches!(name.as_str(), "find" | "aggregate" | "distinct"));
    if !is_read {
        if !command.contains_key("writeConcern") {
            put(&mut command, "writeConcern", database.write_concern());
        }
        return command;
    }
    if !command.contains_key("readConcern") {
        put(&mut command, "readConcern", database.read_concern());
    }
    if let Some(SelectionCriteria::ReadPreference(preference)) = database.selection_criteria() {
        put(&mut command, "$readPreference", Some(preference));
    }
    command
}

pub(super) fn find(collection: &str, filter: &Document, options: &FindOptions) -> Document {
    let mut command = doc! { "find": collection, "filter": filter.clone() };
    command.extend(fields(options));
    put(&mut command, "readConcern", options.read_concern.as_ref());
    command
}

pub(super) fn aggregate(collection: Option<&str>, pipeline: &[Document], options: &AggregateOptions) -> Document {
    let target = collection.map_or(Bson::Int32(1), Bson::from);
    let mut command = doc! { "aggregate": target, "pipeline": pipeline, "cursor": {} };
    command.extend(fields(options));
    command
}

/// Returns the `aggregate` by which the driver counts documents.
pub(super) fn count(collection: &str, filter: &Document, options: &CountOptions) -> Document {
    let mut pipeline = vec![doc! { "$match": filter.clone() }];
    pipeline.extend(options.skip.map(|skip| doc! { "$skip": skip as i64 }));
    pipeline.extend(options.limit.map(|limit| doc! { "$limit": limit as i64 }));
    pipeline.push(doc! { "$group": { "_id": 1, "n": { "$sum": 1 } } });
    let mut of_aggregate = AggregateOptions::default();
    of_aggregate.hint = options.hint.clone();
    of_aggregate.collation = options.collation.clone();
    of_aggregate.comment = options.comment.clone();
    of_aggregate.max_time = options.max_time;
    aggregate(Some(collection), &pipeline, &of_aggregate)
}

pub(super) fn distinct(collection: &str, path: &str, filter: &Document, options: &DistinctOptions) -> Document {
    let mut command = doc! { "distinct": collection, "key": path, "query": filter.clone() };
    command.extend(fields(options));
    command
}

pub(super) fn insert(
    collection: &str,
    documents: &[RawDocumentBuf],
    ordered: bool,
    comment: Option<&Bson>,
) -> Document {
    let documents: Vec<Document> = documents.iter().map(decoded).collect();
    let mut command = doc! { "insert": collection, "documents": documents, "ordered": ordered };
    put(&mut command, "comment", comment);
    command
}

pub(super) fn update(
    collection: &str,
    filter: &Document,
    update: UpdateModifications,
    many: bool,
    options: &UpdateOptions,
) -> Document {
    let mut statement = doc! { "q": filter.clone(), "u": changes(update) };
    put(&mut statement, "upsert", options.upsert);
    put(&mut statement, "arrayFilters", options.array_filters.as_ref());
    put(&mut statement, "hint", options.hint.as_ref());
    put(&mut statement, "collation", options.collation.as_ref());
    put(&mut statement, "multi", many.then_some(true));
    let mut command = doc! { "update": collection, "updates": [statement], "ordered": true };
    put(&mut command, "bypassDocumentValidation", options.bypass_document_validation);
    put(&mut command, "comment", options.comment.as_ref());
    command
}

pub(super) fn replace(
    collection: &str,
    filter: &Document,
    document: &RawDocumentBuf,
    options: &ReplaceOptions,
) -> Document {
    let mut of_update = UpdateOptions::default();
    of_update.hint = options.hint.clone();
    of_update.collation = options.collation.clone();
    of_update.comment = options.comment.clone();
    update(collection, filter, decoded(document).into(), false, &of_update)
}

/// Returns a `delete` of one document, or of all documents that match (`many`).
pub(super) fn delete(collection: &str, filter: &Document, many: bool, options: &DeleteOptions) -> Document {
    let mut statement = doc! { "q": filter.clone(), "limit": if many { 0 } else { 1 } };
    put(&mut statement, "collation", options.collation.as_ref());
    put(&mut statement, "hint", options.hint.as_ref());
    let mut command = doc! { "delete": collection, "deletes": [statement], "ordered": true };
    put(&mut command, "comment", options.comment.as_ref());
    command
}

pub(super) fn find_one_and_update(
    collection: &str,
    filter: &Document,
    update: UpdateModifications,
    options: &FindOneAndUpdateOptions,
) -> Document {
    let mut command = doc! { "findAndModify": collection, "query": filter.clone(), "update": changes(update) };
    put(&mut command, "sort", options.sort.as_ref());
    put(&mut command, "new", matches!(options.return_document, Some(ReturnDocument::After)).then_some(true));
    put(&mut command, "upsert", options.upsert);
    put(&mut command, "arrayFilters", options.array_filters.as_ref());
    put(&mut command, "fields", options.projection.as_ref());
    put(&mut command, "hint", options.hint.as_ref());
    put(&mut command, "collation", options.collation.as_ref());
    put(&mut command, "comment", options.comment.as_ref());
    put(&mut command, "maxTimeMS", options.max_time.map(|time| time.as_millis() as i64));
    command
}

pub(super) fn find_one_and_delete(collection: &str, filter: &Document, options: &FindOneAndDeleteOptions) -> Document {
    let mut command = doc! { "findAndModify": collection, "query": filter.clone(), "remove": true };
    put(&mut command, "sort", options.sort.as_ref());
    put(&mut command, "fields", options.projection.as_ref());
    put(&mut command, "hint", options.hint.as_ref());
    put(&mut command, "collation", options.collation.as_ref());
    put(&mut command, "comment", options.comment.as_ref());
    put(&mut command, "maxTimeMS", options.max_time.map(|time| time.as_millis() as i64));
    command
}

/// Returns an update as the command has the update.
pub(super) fn changes(update: UpdateModifications) -> Bson {
    match update {
        UpdateModifications::Document(document) => document.into(),
        UpdateModifications::Pipeline(pipeline) => pipeline.into(),
        _ => Bson::Null,
    }
}

/// Returns a command that this crate has encoded.
pub(super) fn decoded(raw: &RawDocumentBuf) -> Document {
    codec::decode(raw).unwrap_or_default()
}

/// Returns the options that the driver writes into the command.
fn fields(options: &impl Serialize) -> Document {
    codec::encode(options).map(|fields| decoded(&fields)).unwrap_or_default()
}

fn put(document: &mut Document, name: &str, value: Option<impl Serialize>) {
    if let Some(value) = value.and_then(|value| codec::encode_value(&value).ok()) {
        document.insert(name, value);
    }
}
