//! Counts the values of a shard key in stored documents. Reads all documents, like the count of duplicates.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use super::{ShardKeyValues, Sharding};
use crate::{
    document::count,
    error::{Error, Result, code::is_unauthorized},
};

/// Counts the values, and writes the counts into the step. A user who may not read the documents gets a plan without
/// the counts.
pub(crate) async fn fill(sharding: &mut Sharding, collection: &str, exists: bool, database: &Database) -> Result<()> {
    if !exists {
        sharding.values = Some(ShardKeyValues::default());
        return Ok(());
    }
    sharding.values = match values(&sharding.key, collection, database).await {
        Ok(values) => Some(values),
        Err(Error::Driver(error)) if is_unauthorized(&error) => None,
        Err(error) => return Err(error),
    };
    Ok(())
}

async fn values(key: &Document, collection: &str, database: &Database) -> Result<ShardKeyValues> {
    let names: Vec<String> = key.keys().map(|path| format!("${path}")).collect();
    let any = |condition: fn(&String) -> Document| doc! { "$or": names.iter().map(condition).collect::<Vec<_>>() };
    let number = |condition: Document| doc! { "$sum": { "$cond": [condition, 1_i64, 0_i64] } };
    // A dotted path cannot name a field of a `$group`.
    let value: Document = names
        .iter()
        .enumerate()
        .map(|(at, name)| (format!("k{at}"), Bson::from(doc! { "$ifNull": [name, null] })))
        .collect();
    let pipeline = [
        doc! { "$group": {
            "_id": value,
            "documents": { "$sum": 1_i64 },
            "absent": number(any(|name| doc! { "$eq": [{ "$ifNull": [name, null] }, null] })),
            "arrays": number(any(|name| doc! { "$isArray": name })),
        } },
        doc! { "$group": {
            "_id": null,
            "documents": { "$sum": "$documents" },
            "absent": { "$sum": "$absent" },
            "arrays": { "$sum": "$arrays" },
            "most": { "$max": "$documents" },
        } },
    ];
    let found = database.collection::<Document>(collection).aggregate(pipeline).allow_disk_use(true).await;
    let found = found?.try_next().await?.unwrap_or_default();
    let of = |name: &str| count(found.get(name));
    Ok(ShardKeyValues {
        documents: of("documents"),
        absent: of("absent"),
        arrays: of("arrays"),
        most_frequent: of("most"),
    })
}
