//! The commands of slugs.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "pages")]
struct Page {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 80)]
    slug: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "docs")]
struct Doc {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[slug(from = name, max_len = 80, follow, keep_old = 5)]
    slug: String,
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Page, Doc]).await;
    Doc::insert(&db, &Doc { id: 1, name: "A B".to_owned(), slug: String::new() }).await?;
    log.clear();
    let mut block = Block::read("design/slugs.md", 0);
    for id in [1, 2] {
        Page::insert(&db, &Page { id, name: "Left-handed Smoke Shifter".to_owned(), slug: String::new() }).await?;
        block.take_all(&log);
    }
    Page::by_slug("left-handed-smoke-shifter").fetch_optional(&db).await?;
    block.take_all(&log);
    Doc::update_by_id(1).set(Doc::F.name, "C D").execute(&db).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
