//! Each command of a plan and of an apply, for a new database and for a later version of the model.

use schema_runtime::{prelude::*, schema};
use schema_tests::CommandLog;

use super::Block;

mod first {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "parts")]
    pub(super) struct Part {
        #[serde(rename = "_id")]
        pub(super) id: ObjectId,
        pub(super) name: String,
    }
}

mod second {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "parts")]
    #[index(name)]
    pub(super) struct Part {
        #[serde(rename = "_id")]
        pub(super) id: ObjectId,
        #[bound(max_len = 80)]
        pub(super) name: String,
    }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = schema_tests::database_with_log().await;
    let mut block = Block::read("operate/schema.md", 0);
    let plan = schema![first::Part].plan(&db).await?;
    block.take_all(&log);
    plan.apply(&db).await?.complete()?;
    assert_majority(&log, &["create"]);
    block.take_all(&log);

    let part = first::Part { id: ObjectId::new(), name: "#4 grommet".to_owned() };
    first::Part::insert(&db, &part).await?;
    log.clear();
    let plan = schema![second::Part].plan(&db).await?;
    block.take_all(&log);
    plan.apply(&db).await?.complete()?;
    assert_majority(&log, &["collMod", "createIndexes"]);
    block.take_all(&log);
    block.end();
    Ok(())
}

/// Panics unless the client sent each command once, with a write concern of the majority.
fn assert_majority(log: &CommandLog, names: &[&str]) {
    for name in names {
        let commands = log.named(name);
        assert_eq!(commands.len(), 1, "{name}");
        let concern = commands[0].get_document("writeConcern").expect("a write concern");
        assert_eq!(concern.get_str("w").ok(), Some("majority"), "{name}");
    }
}
