//! The commands that the pages on design show, compared with the commands of a run.

mod buckets;
mod collection_kinds;
pub(crate) mod copies;
mod derived_data;
mod enums;
mod histories;
mod links;
mod rollups;
mod sharding;
mod slugs;
mod trees;

use schema_runtime::{Schema, prelude::Database};
use schema_tests::CommandLog;

use super::blocks::Block;

/// Returns a new database with the collections and indexes of a schema, and a log of the commands that follow.
pub(crate) async fn database_with_log(schema: &Schema) -> (Database, CommandLog) {
    let (db, log) = schema_tests::database_with_log().await;
    schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the steps").complete().expect("no refused step");
    log.clear();
    (db, log)
}
