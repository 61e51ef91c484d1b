//! A database for each test, on one server for all tests of a binary.

use schema_runtime::{
    local::{Server, Topology},
    prelude::*,
    schema,
};
use tokio::sync::OnceCell;

// ANCHOR: database
/// One server for all tests of this binary. The server ends with the process.
static SERVER: OnceCell<Server> = OnceCell::const_new();

/// A new database with a client of its own.
async fn database() -> Result<Database> {
    let server = SERVER.get_or_try_init(|| Server::start(Topology::default())).await?;
    let db = server.database(&format!("test_{}", ObjectId::new().to_hex())).await?;
    schema![Note].plan(&db).await?.apply(&db).await?.complete()?;
    Ok(db)
}
// ANCHOR_END: database

// ANCHOR: tests
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i32,
    text: String,
}

#[tokio::test]
async fn a_note_is_stored() -> Result<()> {
    let db = database().await?;
    Note::insert(&db, &Note { id: 1, text: "a note".to_owned() }).await?;
    assert_eq!(Note::find(Filter::all()).count(&db).await?, 1);
    db.drop().await?; // for a server that outlives the tests
    Ok(())
}

#[tokio::test]
async fn another_test_sees_no_note() -> Result<()> {
    let db = database().await?;
    assert_eq!(Note::find(Filter::all()).count(&db).await?, 0);
    Ok(())
}
// ANCHOR_END: tests
