//! Reads the shard keys of the collections of a cluster. Reads the server.

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

use crate::error::{Error, Result, code::is_unauthorized};

/// A cluster, with the requested collections that are sharded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    pub(crate) sharded: Vec<Sharded>,
}

/// A sharded collection.
#[derive(Clone, Debug)]
pub(crate) struct Sharded {
    pub(crate) collection: String,
    pub(crate) key: Document,
}

impl Cluster {
    /// Returns the shard key of a collection.
    pub(crate) fn key(&self, collection: &str) -> Option<&Document> {
        self.sharded.iter().find(|sharded| sharded.collection == collection).map(|sharded| &sharded.key)
    }
}

/// Returns the sharded collections among the given names; `None` when the server is no cluster.
pub(crate) async fn inspect(collections: &[&str], database: &Database) -> Result<Option<Cluster>> {
    let hello = database.run_command(doc! { "hello": 1 }).await?;
    if hello.get_str("msg").ok() != Some("isdbgrid") {
        return Ok(None);
    }
    let prefix = format!("{}.", database.name());
    let names: Vec<Bson> = collections.iter().map(|name| format!("{prefix}{name}").into()).collect();
    let config = database.client().database("config").collection::<Document>("collections");
    let found = async {
        config
            .find(doc! { "_id": { "$in": names }, "unsplittable": { "$ne": true } })
            .await?
            .try_collect::<Vec<_>>()
            .await
    };
    let found = found.await.map_err(|error: mongodb::error::Error| {
        if is_unauthorized(&error) {
            Error::NotAuthorized { action: "find", collection: "config.collections".to_owned() }
        } else {
            error.into()
        }
    })?;
    let sharded = found.iter().filter_map(|found| {
        let collection = found.get_str("_id").ok()?.strip_prefix(&prefix)?.to_owned();
        Some(Sharded { collection, key: found.get_document("key").ok()?.clone() })
    });
    Ok(Some(Cluster { sharded: sharded.collect() }))
}
