//! Runs a sharding step: checks whether the step is done already, checks that the cluster is as the plan found the
//! cluster, and does the step. Reaches the server.

use mongodb::{
    Database,
    bson::{Document, doc},
};

use super::{Sharding, ShardingKind, inspect};
use crate::{
    error::{Error, Result, ShardingError, code},
    indexes::same_keys,
};

/// Does the step. Returns whether anything had to be done. `collates` is true when the collection compares texts by a
/// collation instead of by bytes.
pub(crate) async fn run(sharding: &Sharding, collection: &str, collates: bool, database: &Database) -> Result<bool> {
    let outdated = |what: &str| Err(Error::PlanOutdated { collection: collection.to_owned(), what: what.to_owned() });
    let Some(cluster) = inspect(&[collection], database).await? else {
        return outdated("the server is no cluster any more");
    };
    let stored = cluster.key(collection);
    if stored.is_some_and(|stored| same_keys(stored, &sharding.key)) {
        return Ok(false);
    }
    let (name, mut more) = match &sharding.kind {
        ShardingKind::Shard => ("shardCollection", doc! { "unique": sharding.unique }),
        ShardingKind::Refine { .. } => ("refineCollectionShardKey", Document::new()),
        ShardingKind::Reshard { .. } => ("reshardCollection", doc! { "unique": false }),
    };
    match (&sharding.kind, stored) {
        (ShardingKind::Shard, None) => {}
        (ShardingKind::Refine { old } | ShardingKind::Reshard { old }, Some(stored)) if same_keys(stored, old) => {}
        _ => return outdated("the shard key has changed"),
    }
    if collates && !matches!(sharding.kind, ShardingKind::Refine { .. }) {
        more.insert("collation", doc! { "locale": "simple" });
    }
    let mut command = doc! { name: format!("{}.{collection}", database.name()), "key": sharding.key.clone() };
    command.extend(more);
    command.insert("writeConcern", doc! { "w": "majority" });
    match database.client().database("admin").run_command(command).await {
        Ok(_) => Ok(true),
        Err(error) if code::command_code(&error) == Some(code::UNAUTHORIZED) => {
            Err(Error::NotAuthorized { action: name, collection: collection.to_owned() })
        }
        Err(error) => match code::command_message(&error) {
            message if message.is_empty() => Err(error.into()),
            message => Err(Error::Sharding(ShardingError::Refused {
                collection: collection.to_owned(),
                command: name,
                message,
            })),
        },
    }
}
