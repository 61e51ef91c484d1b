//! The figures of the server about a collection: sizes, and the reads that used each index. Reads the server.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{DateTime, Document, doc},
};

use crate::{
    document::count,
    error::{Error, Result, code::is_unauthorized},
    executor::Context,
    read::Aggregate,
};

/// The number of documents in the sample of sizes.
pub(crate) const SAMPLED: i32 = 1_000;

/// The sizes of a collection, from the metadata of the server.
#[derive(Default)]
pub(crate) struct Sizes {
    /// The number of documents.
    pub(crate) documents: u64,
    /// The bytes of the documents, without compression.
    pub(crate) bytes: u64,
    /// The bytes of all indexes.
    pub(crate) index_bytes: u64,
    /// The bytes of each index, by name.
    pub(crate) indexes: Vec<(String, u64)>,
}

/// The reads that used an index.
pub(crate) struct IndexUse {
    pub(crate) name: String,
    pub(crate) keys: Document,
    /// The number of reads.
    pub(crate) used: u64,
    /// The time from which every shard has counted.
    pub(crate) since: DateTime,
}

/// Returns the names of the collections, in order, without views and time series.
///
/// # Errors
/// [`NotAuthorized`](Error::NotAuthorized) for a user without the privilege `listCollections`.
pub(crate) async fn collections(database: &Database) -> Result<Vec<String>> {
    let command = doc! { "listCollections": 1, "nameOnly": true, "authorizedCollections": true };
    let listed = async { database.run_cursor_command(command).await?.try_collect::<Vec<Document>>().await };
    let listed = listed.await.map_err(|error| denied(error.into(), "listCollections", ""))?;
    // The server has no sizes of a view, and a time series is stored in a collection of the server.
    let collections = listed.iter().filter(|one| one.get_str("type").is_ok_and(|of| of == "collection"));
    let mut names: Vec<String> = collections.filter_map(|one| one.get_str("name").ok()).map(str::to_owned).collect();
    names.sort_unstable();
    Ok(names)
}

/// Returns the bytes of the largest document of a sample.
pub(crate) async fn largest_sampled(collection: &'static str, context: &Context) -> Result<u64> {
    let sample = vec![
        doc! { "$sample": { "size": SAMPLED } },
        doc! { "$group": { "_id": null, "largest": { "$max": { "$bsonSize": "$$ROOT" } } } },
    ];
    let sampled = asked(context, collection, "find", sample).await?;
    Ok(sampled.first().map_or(0, |one| count(one.get("largest"))))
}

/// Returns the sizes of a collection.
///
/// # Errors
/// [`NotAuthorized`](Error::NotAuthorized) for a user without the privilege `collStats`.
pub(crate) async fn sizes(collection: &'static str, context: &Context) -> Result<Sizes> {
    let mut sizes = Sizes::default();
    // Each shard gives an answer.
    let stage = doc! { "$collStats": { "storageStats": {} } };
    for answer in asked(context, collection, "collStats", vec![stage]).await? {
        let Ok(storage) = answer.get_document("storageStats") else { continue };
        sizes.documents += count(storage.get("count"));
        sizes.bytes += count(storage.get("size"));
        sizes.index_bytes += count(storage.get("totalIndexSize"));
        for (name, bytes) in storage.get_document("indexSizes").into_iter().flatten() {
            add(&mut sizes.indexes, name, count(Some(bytes)));
        }
    }
    Ok(sizes)
}

/// Returns the use of each index of a collection, as the asked member of the server counts.
///
/// # Errors
/// [`NotAuthorized`](Error::NotAuthorized) for a user without the privilege `indexStats`.
pub(crate) async fn index_uses(collection: &'static str, context: &Context) -> Result<Vec<IndexUse>> {
    let mut uses: Vec<IndexUse> = Vec::new();
    for answer in asked(context, collection, "indexStats", vec![doc! { "$indexStats": {} }]).await? {
        let (Ok(name), Ok(accesses)) = (answer.get_str("name"), answer.get_document("accesses")) else { continue };
        let Ok(since) = accesses.get_datetime("since").copied() else { continue };
        let used = count(accesses.get("ops"));
        match uses.iter_mut().find(|other| other.name == name) {
            Some(other) => (other.used, other.since) = (other.used + used, other.since.max(since)),
            None => {
                let keys = answer.get_document("key").cloned().unwrap_or_default();
                uses.push(IndexUse { name: name.to_owned(), keys, used, since });
            }
        }
    }
    Ok(uses)
}

fn add(sizes: &mut Vec<(String, u64)>, name: &str, bytes: u64) {
    match sizes.iter_mut().find(|(other, _)| other == name) {
        Some((_, sum)) => *sum += bytes,
        None => sizes.push((name.to_owned(), bytes)),
    }
}

/// Returns the answers of a pipeline. A missing privilege is an error with the name of the action.
pub(crate) async fn asked(
    context: &Context,
    collection: &'static str,
    action: &'static str,
    pipeline: Vec<Document>,
) -> Result<Vec<Document>> {
    let aggregate = Aggregate { collection: Some(collection), pipeline };
    aggregate.all(context).await.map_err(|error| denied(error, action, collection))
}

/// Names the action in the error of a missing privilege.
pub(crate) fn denied(error: Error, action: &'static str, collection: &str) -> Error {
    match &error {
        Error::Driver(driver) if is_unauthorized(driver) => {
            Error::NotAuthorized { action, collection: collection.to_owned() }
        }
        _ => error,
    }
}
