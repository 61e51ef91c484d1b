//! Timestamps: the times of the insert and of the last write.

use schema_runtime::{prelude::*, schema};

use crate::database;

// ANCHOR: model
#[derive(Debug, Model, Serialize, Deserialize)]
#[model(collection = "pages", new)]
struct Page {
    #[serde(rename = "_id")]
    id: i32,
    text: String,
    #[created_at]
    created: DateTime,
    #[updated_at]
    #[index(desc)]
    updated: DateTime,
}
// ANCHOR_END: model

// ANCHOR: use
async fn write_and_read(db: &Database) -> Result<Vec<Page>> {
    let page = NewPage { id: 1, text: "draft".to_owned() }.insert(db).await?;
    assert_eq!(page.created, page.updated);

    let changed = Page::update_by_id(1).set(Page::F.text, "text").fetch_after(db).await?;
    assert_eq!(changed.created, page.created);
    assert!(changed.updated >= page.updated);

    Page::find(Filter::all()).sort(Page::F.updated.desc()).limit(10).fetch_all(db).await
}
// ANCHOR_END: use

#[tokio::test]
async fn each_write_sets_the_times() -> Result<()> {
    let db = database(&schema![Page]).await;
    assert_eq!(write_and_read(&db).await?.len(), 1);
    let update = schema_runtime::preview(Page::update_by_id(1).set(Page::F.text, "text").execute(&db)).await?;
    // The page shows the command with another time.
    let begin = &update[..update.find("ISODate(").expect("the time")];
    let page = std::fs::read_to_string(crate::page("guides/timestamps.md")).expect("the page");
    assert!(page.contains(begin), "{update}");
    Ok(())
}
