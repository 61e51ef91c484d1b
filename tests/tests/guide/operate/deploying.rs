//! The commands of a plan and of an apply.

use schema_runtime::{prelude::*, schema};

use super::Block;
use crate::blocks::assert_reads;

/// The words of a command that reads the server or the state of a collection.
const READS: [&str; 2] = ["listCollections: 1", "listIndexes: "];

mod first {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    #[index(isbn, unique)]
    pub(super) struct Book {
        #[serde(rename = "_id")]
        pub(super) id: ObjectId,
        #[bound(max_len = 20)]
        pub(super) isbn: String,
    }
}

mod second {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    #[index(isbn, unique)]
    pub(super) struct Book {
        #[serde(rename = "_id")]
        pub(super) id: ObjectId,
        #[bound(max_len = 20)]
        pub(super) isbn: String,
        #[bound(max_len = 80)]
        pub(super) title: Option<String>,
    }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = schema_tests::database_with_log().await;
    let mut block = Block::read("operate/deploying.md", 0);
    let plan = schema![first::Book].plan(&db).await?;
    log.clear();
    plan.apply(&db).await?.complete()?;
    assert_reads(&block.take(&log), &READS);
    let plan = schema![second::Book].plan(&db).await?;
    log.clear();
    plan.apply(&db).await?.complete()?;
    assert_reads(&block.take(&log), &READS);
    block.end();
    Ok(())
}
