//! Adds the figures of a server to a review: sizes, and the use of each index. Reads the server.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{DateTime, Document, doc},
};

use super::{IndexReview, ModelReview, Review, StoredIndex, StoredReview, review, serves::ID};
use crate::{
    definition::{ModelDefinition, stored_names},
    document::count,
    error::{Error, Result, code::is_unauthorized},
    executor::{Context, Executor},
    indexes::same_keys,
    read::Aggregate,
};

/// The number of documents in the sample of sizes.
const SAMPLED: i32 = 1_000;

pub(crate) async fn review_on(models: &[&'static ModelDefinition], database: &Database) -> Result<Review> {
    let mut review = review(models);
    let collections = list(database).await?;
    let context = database.plain_context()?;
    for model in &mut review.models {
        if collections.iter().any(|name| name == model.collection) {
            measure(model, &context).await?;
        }
    }
    let is_declared = |name: &String| models.iter().any(|model| model.collection == name);
    let is_other = |name: &String| {
        !is_declared(name) && !stored_names::COLLECTIONS.contains(&name.as_str()) && !name.starts_with("system.")
    };
    review.undeclared = collections.into_iter().filter(is_other).collect();
    Ok(review)
}

async fn list(database: &Database) -> Result<Vec<String>> {
    let command = doc! { "listCollections": 1, "nameOnly": true, "authorizedCollections": true };
    let listed = async { database.run_cursor_command(command).await?.try_collect::<Vec<Document>>().await };
    let listed = listed.await.map_err(|error| denied(error.into(), "listCollections", ""))?;
    // The server has no sizes of a view, and a time series is stored in a collection of the server.
    let collections = listed.iter().filter(|one| one.get_str("type").is_ok_and(|of| of == "collection"));
    let mut names: Vec<String> = collections.filter_map(|one| one.get_str("name").ok()).map(str::to_owned).collect();
    names.sort_unstable();
    Ok(names)
}

async fn measure(model: &mut ModelReview, context: &Context) -> Result<()> {
    let collection = model.collection;
    let mut stored =
        StoredReview { documents: 0, bytes: 0, largest_sampled: 0, index_bytes: 0, undeclared: Vec::new() };
    let mut sizes: Vec<(String, u64)> = Vec::new();
    // Each shard gives an answer.
    let sizes_of = vec![doc! { "$collStats": { "storageStats": {} } }];
    for answer in asked(context, collection, "collStats", sizes_of).await? {
        let Ok(storage) = answer.get_document("storageStats") else { continue };
        stored.documents += count(storage.get("count"));
        stored.bytes += count(storage.get("size"));
        stored.index_bytes += count(storage.get("totalIndexSize"));
        for (name, bytes) in storage.get_document("indexSizes").into_iter().flatten() {
            add(&mut sizes, name, count(Some(bytes)));
        }
    }
    let mut used: Vec<(String, Document, u64, DateTime)> = Vec::new();
    for answer in asked(context, collection, "indexStats", vec![doc! { "$indexStats": {} }]).await? {
        let (Ok(name), Ok(accesses)) = (answer.get_str("name"), answer.get_document("accesses")) else { continue };
        let keys = answer.get_document("key").cloned().unwrap_or_default();
        let (ops, since) = (count(accesses.get("ops")), accesses.get_datetime("since").copied());
        let Ok(since) = since else { continue };
        match used.iter_mut().find(|(other, ..)| other == name) {
            Some((_, _, sum, first)) => (*sum, *first) = (*sum + ops, (*first).min(since)),
            None => used.push((name.to_owned(), keys, ops, since)),
        }
    }
    let sample = vec![
        doc! { "$sample": { "size": SAMPLED } },
        doc! { "$group": { "_id": null, "largest": { "$max": { "$bsonSize": "$$ROOT" } } } },
    ];
    let sampled = asked(context, collection, "find", sample).await?;
    stored.largest_sampled = sampled.first().map_or(0, |one| count(one.get("largest")));
    for (name, keys, used, since) in used {
        let bytes = sizes.iter().find(|(other, _)| *other == name).map_or(0, |(_, bytes)| *bytes);
        // An index under another name serves as well.
        let (all, same) = (&mut model.indexes, |index: &IndexReview| same_keys(&index.keys, &keys));
        let named = all.iter().position(|index| index.name == name && same(index));
        let found = named.or_else(|| all.iter().position(|index| index.stored.is_none() && same(index)));
        match found.map(|at| &mut all[at]) {
            Some(index) => index.stored = Some(StoredIndex { bytes, used, since }),
            None if name != ID => stored.undeclared.push(name),
            None => {}
        }
    }
    stored.undeclared.sort_unstable();
    model.stored = Some(stored);
    Ok(())
}

fn add(sizes: &mut Vec<(String, u64)>, name: &str, bytes: u64) {
    match sizes.iter_mut().find(|(other, _)| other == name) {
        Some((_, sum)) => *sum += bytes,
        None => sizes.push((name.to_owned(), bytes)),
    }
}

async fn asked(
    context: &Context,
    collection: &'static str,
    action: &'static str,
    pipeline: Vec<Document>,
) -> Result<Vec<Document>> {
    let aggregate = Aggregate { collection: Some(collection), pipeline };
    aggregate.all(context).await.map_err(|error| denied(error, action, collection))
}

fn denied(error: Error, action: &'static str, collection: &str) -> Error {
    match &error {
        Error::Driver(driver) if is_unauthorized(driver) => {
            Error::NotAuthorized { action, collection: collection.to_owned() }
        }
        _ => error,
    }
}
