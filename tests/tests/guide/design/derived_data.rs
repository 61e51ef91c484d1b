//! The commands of a `recover` without work, for each kind of derived data that leaves work behind.

use schema_runtime::{Throttle, prelude::*, schema};

use super::{
    Block,
    copies::{Part, Product},
    database_with_log,
    links::{Note, Post},
    rollups::{Reply, Topic},
    trees::Folder,
};

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let schema = schema![Part, Product, Post, Note, Folder, Topic, Reply];
    let (db, log) = database_with_log(&schema).await;
    let mut block = Block::read("design/derived_data.md", 0);
    let report = schema.recover(&db, &Throttle::new()).await?;
    assert!(report.is_empty(), "{report}");
    block.take_all(&log);
    block.end();
    Ok(())
}
