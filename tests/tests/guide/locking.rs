//! Optimistic locking: a save of an old value is refused.

use schema_runtime::{prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, Clone, Model, Serialize, Deserialize)]
#[model(collection = "articles")]
struct Article {
    #[serde(rename = "_id")]
    id: i32,
    title: String,
    #[unversioned]
    stock: i64,
    #[version]
    version: i64,
}
// ANCHOR_END: model

// ANCHOR: save
/// Saves the title of a form. The version is the version that the form was made of.
async fn save(db: &Database, id: i32, title: &str, version: i64) -> Result<Article> {
    let mut article = Article::get_by_id(db, id).await?;
    article.title = title.to_owned();
    article.version = version;
    Article::save(db, &mut article).await?;
    Ok(article)
}
// ANCHOR_END: save

// ANCHOR: condition
/// The same in one command, for a part of the document.
async fn set_title(db: &Database, id: i32, title: &str, version: i64) -> Result<Article> {
    let unchanged = Article::F.version.eq(version);
    Article::update_by_id(id).only_if(unchanged).set(Article::F.title, title).fetch_after(db).await
}
// ANCHOR_END: condition

#[tokio::test]
async fn the_second_save_is_refused() -> Result<()> {
    let db = database(&schema![Article]).await;
    let mut article = Article { id: 1, title: "one".to_owned(), stock: 5, version: 0 };
    Article::create(&db, &mut article).await?;
    assert_eq!(save(&db, 1, "two", 0).await?.version, 1);
    match save(&db, 1, "three", 0).await {
        Err(Error::VersionConflict { expected, found, .. }) => assert_eq!((expected, found), (0, Some(1))),
        other => panic!("an old value was saved: {other:?}"),
    }
    assert_eq!(set_title(&db, 1, "four", 1).await?.version, 2);
    assert!(matches!(set_title(&db, 1, "five", 1).await, Err(Error::ConditionFailed { .. })));

    Article::update_by_id(1).inc(Article::F.stock, -2).execute(&db).await?; // makes no version
    let mut stored = Article::get_by_id(&db, 1).await?;
    assert_eq!((&*stored.title, stored.stock, stored.version), ("four", 3, 2));

    let save = schema_runtime::preview(Article::save(&db, &mut stored)).await?;
    assert_shown("guides/optimistic_locking.md", &save);
    let update = Article::update_by_id(1).only_if(Article::F.version.eq(1)).set(Article::F.title, "four");
    assert_shown("guides/optimistic_locking.md", &update.to_mongosh()?);
    assert_shown("guides/optimistic_locking.md", &Article::update_by_id(1).inc(Article::F.stock, -2).to_mongosh()?);
    Ok(())
}
