//! The commands of trees with a path.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "folders")]
pub(crate) struct Folder {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Folder>>,
    #[tree(path)]
    path: TreePath<Folder>,
}

fn folder(id: i64, name: &str, parent: Option<i64>) -> Folder {
    Folder { id, name: name.to_owned(), parent: parent.map(Ref::new), path: TreePath::default() }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Folder]).await;
    let mut root = folder(1, "one", None);
    let mut second = folder(2, "two", Some(1));
    Folder::create(&db, &mut root).await?;
    Folder::create(&db, &mut second).await?;
    let mut fourth = folder(4, "four", Some(2));
    Folder::create(&db, &mut fourth).await?;
    log.clear();
    let mut block = Block::read("design/trees.md", 0);
    root.descendants().fetch_all(&db).await?;
    block.take_all(&log);
    fourth.ancestors().fetch_all(&db).await?;
    block.take_all(&log);
    let mut third = folder(3, "three", Some(2));
    Folder::create(&db, &mut third).await?;
    block.take_all(&log);
    Folder::move_to_root(&db, &second).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
