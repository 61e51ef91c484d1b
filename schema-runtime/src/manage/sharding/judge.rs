//! Judges the shard keys of models by the stored documents: cardinality and write distribution, from a sample. Reads
//! the server.

use std::{collections::HashMap, fmt};

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
    options::Hint,
};

use super::{key_of, render::words};
use crate::{
    definition::{ModelDefinition, ShardKeyDefinition},
    document::{self, get_at, value_at},
    error::{
        Error, Result,
        code::{NAMESPACE_NOT_FOUND, command_code, is_unauthorized},
    },
    key::Key,
    report::counted,
};

/// The number of sampled documents, and the most newest documents that are read. A small collection reads a twentieth
/// of the documents as the newest.
const SAMPLE: i64 = 10_000;
const NEWEST: i64 = 1_000;

/// The most bytes of a chunk unless the cluster is configured otherwise: 128 MiB (MongoDB 6.0, "range size").
const CHUNK: u64 = 128 * 1024 * 1024;

/// The verdict on a shard key for the documents of a collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShardKeyJudgement {
    /// The collection.
    pub collection: &'static str,
    /// The shard key, in the notation of the server.
    pub key: Document,
    /// The number of documents, by the server's metadata.
    pub documents: u64,
    /// The size of the documents in bytes.
    pub bytes: u64,
    /// The number of sampled documents: 10,000 at most.
    pub sampled: u64,
    /// The number of values of the key among the sampled documents.
    pub distinct: u64,
    /// The number of sampled documents with the most frequent value.
    pub most_frequent: u64,
    /// The share of the newest documents that are greater than nine of ten sampled documents. The newest documents are
    /// the twentieth that was inserted last, 1,000 at most, in the order of the storage. `None` when the first field is
    /// hashed, and when the collection has too few documents to tell.
    pub newest_at_the_end: Option<f64>,
    /// The faults of the key.
    pub findings: Vec<ShardKeyFinding>,
}

/// A fault of a shard key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShardKeyFinding {
    /// Cardinality: the key has fewer values than twice the shards.
    FewValues,
    /// Cardinality: the documents of a single value take over half a chunk, and may soon exceed the chunk.
    LargeValue,
    /// Write distribution: most of the newest documents are at the end of the key.
    Ascending,
}

impl fmt::Display for ShardKeyFinding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ShardKeyFinding::FewValues => {
                "cardinality: fewer values than twice the shards, so that chunks cannot be split"
            }
            ShardKeyFinding::LargeValue => {
                "cardinality: a single value has more documents than half a chunk holds, and the documents of a value \
                 cannot be split"
            }
            ShardKeyFinding::Ascending => {
                "write distribution: most of the newest documents are at the end of the key, on a single shard"
            }
        })
    }
}

impl fmt::Display for ShardKeyJudgement {
    /// Writes the key with the numbers, and a line for each finding.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} by {}: {} in {}, the most frequent has {}",
            self.collection,
            words(&self.key),
            counted(self.distinct, "value", "values"),
            counted(self.sampled, "sampled document", "sampled documents"),
            self.most_frequent
        )?;
        if let Some(share) = self.newest_at_the_end {
            write!(formatter, "; of the newest documents {:.0} % are in the last tenth", share * 100.0)?;
        }
        for finding in &self.findings {
            write!(formatter, "\n  {finding}")?;
        }
        Ok(())
    }
}

/// Judges the shard keys of the models with documents in the collection.
pub(crate) async fn judge(models: &[&'static ModelDefinition], database: &Database) -> Result<Vec<ShardKeyJudgement>> {
    let mut judged = Vec::new();
    for model in models {
        let Some(key) = model.shard_key else { continue };
        judged.extend(judge_one(model, key, database).await?);
    }
    Ok(judged)
}

async fn judge_one(
    model: &'static ModelDefinition,
    key: &ShardKeyDefinition,
    database: &Database,
) -> Result<Option<ShardKeyJudgement>> {
    let pattern = key_of(model, key);
    let (documents, bytes) = size(model.collection, database).await?;
    if documents == 0 {
        return Ok(None);
    }
    let values: Vec<Document> = read(vec![doc! { "$sample": { "size": SAMPLE } }], &pattern, model, database).await?;
    let mut by_value: HashMap<Vec<Key>, u64> = HashMap::new();
    for value in &values {
        *by_value.entry(pattern.keys().map(|path| Key::of(&value_at(value, path))).collect()).or_default() += 1;
    }
    let (sampled, distinct) = (values.len() as u64, by_value.len() as u64);
    let most_frequent = by_value.values().copied().max().unwrap_or_default();
    let is_hashed = key.fields.first().is_some_and(|field| field.hashed);
    let newest_at_the_end = match pattern.keys().next() {
        Some(first) if !is_hashed && documents >= 100 => {
            Some(at_the_end(first, (documents, sampled), model, database).await?)
        }
        _ => None,
    };
    let mut findings = Vec::new();
    if distinct < key.shards.saturating_mul(2) && distinct < documents {
        findings.push(ShardKeyFinding::FewValues);
    }
    // A value that a single sampled document holds has no known frequency.
    if most_frequent > 1 && bytes / sampled.max(1) * most_frequent > CHUNK / 2 {
        findings.push(ShardKeyFinding::LargeValue);
    }
    if newest_at_the_end.is_some_and(|share| share > 0.8) {
        findings.push(ShardKeyFinding::Ascending);
    }
    let collection = model.collection;
    Ok(Some(ShardKeyJudgement {
        collection,
        key: pattern,
        documents,
        bytes,
        sampled,
        distinct,
        most_frequent,
        newest_at_the_end,
        findings,
    }))
}

/// Returns the share of the newest documents with a greater first value than nine of ten sampled documents. The server
/// compares, since the order of the server is the order of the chunks.
async fn at_the_end(
    first: &str,
    (documents, sampled): (u64, u64),
    model: &ModelDefinition,
    database: &Database,
) -> Result<f64> {
    let collection = database.collection::<Document>(model.collection);
    let border = [
        doc! { "$sample": { "size": SAMPLE } },
        doc! { "$sort": { first: 1 } },
        doc! { "$skip": i64::try_from(sampled * 9 / 10).unwrap_or_default() },
        doc! { "$limit": 1 },
        doc! { "$project": { first: 1 } },
    ];
    let border = collection.aggregate(border).allow_disk_use(true).await?.try_next().await?.unwrap_or_default();
    let is_behind = doc! { "$gt": [format!("${first}"), { "$literal": value_at(&border, first) }] };
    let newest = NEWEST.min(i64::try_from(documents / 20).unwrap_or(NEWEST)).max(1);
    let newest = [
        doc! { "$limit": newest },
        doc! { "$group": {
            "_id": null,
            "all": { "$sum": 1_i64 },
            "behind": { "$sum": { "$cond": [is_behind, 1_i64, 0_i64] } },
        } },
    ];
    let found = collection.aggregate(newest).hint(Hint::Keys(doc! { "$natural": -1 })).await?.try_next().await?;
    let of = |name: &str| document::count(found.as_ref().and_then(|found| found.get(name))) as f64;
    Ok(of("behind") / of("all").max(1.0))
}

/// Returns the documents of a pipeline, with the fields of the key.
async fn read(
    mut pipeline: Vec<Document>,
    key: &Document,
    model: &'static ModelDefinition,
    database: &Database,
) -> Result<Vec<Document>> {
    let fields: Document = key.keys().map(|path| (path.clone(), Bson::Int32(1))).collect();
    pipeline.push(doc! { "$project": fields });
    let found = database.collection::<Document>(model.collection).aggregate(pipeline).await?;
    Ok(found.try_collect().await?)
}

/// Returns the number of documents of a collection, and the size of the documents in bytes.
async fn size(collection: &str, database: &Database) -> Result<(u64, u64)> {
    let stages = [doc! { "$collStats": { "storageStats": {} } }];
    let found = database.collection::<Document>(collection).aggregate(stages).await;
    let found: Vec<Document> = match found {
        Ok(found) => found.try_collect().await?,
        Err(error) if is_unauthorized(&error) => {
            return Err(Error::NotAuthorized { action: "collStats", collection: collection.to_owned() });
        }
        // The collection does not exist.
        Err(error) if command_code(&error) == Some(NAMESPACE_NOT_FOUND) => return Ok((0, 0)),
        Err(error) => return Err(error.into()),
    };
    let of =
        |name: &str| found.iter().map(|one| document::count(get_at(one, &format!("storageStats.{name}")))).sum::<u64>();
    Ok((of("count"), of("size")))
}
