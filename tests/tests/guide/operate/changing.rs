//! The commands of changes of stored data.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

mod fill {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    pub(super) struct Book {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[bound(max_len = 8)]
        pub(super) language: Option<String>,
    }
}

mod rename {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "books")]
    pub(super) struct Book {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[bound(max_len = 120)]
        pub(super) name: Option<String>,
        #[bound(max_len = 120)]
        pub(super) title: Option<String>,
    }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let mut block = Block::read("operate/changing.md", 0);
    let (db, log) = database_with_log(&schema![fill::Book]).await;
    fill::Book::insert(&db, &fill::Book { id: 1, language: None }).await?;
    log.clear();
    let filled = fill::Book::update_many(fill::Book::F.language.is_null()).set(fill::Book::F.language, "en");
    assert_eq!(filled.execute(&db).await?.modified, 1);
    block.take_all(&log);

    use rename::Book;
    let (db, log) = database_with_log(&schema![Book]).await;
    Book::insert(&db, &Book { id: 1, name: Some("one".to_owned()), title: None }).await?;
    log.clear();
    let old = Book::F.name.is_not_null() & Book::F.title.is_null();
    assert_eq!(Book::update_many(old).rename(Book::F.name, Book::F.title).execute(&db).await?.modified, 1);
    block.take_all(&log);
    block.end();
    Ok(())
}
