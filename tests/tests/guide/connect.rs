//! Connecting with options.

use std::time::Duration;

use schema_runtime::{connect_with, mongodb::options::ClientOptions, prelude::*};
use schema_tests::server;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
}

// ANCHOR: options
async fn connect_with_options(uri: &str, database: &str) -> Result<Database> {
    let mut options = ClientOptions::parse(uri).await?;
    options.app_name = Some("shop".to_owned());
    options.max_pool_size = Some(200);
    options.server_selection_timeout = Some(Duration::from_secs(15));
    connect_with(options, database).await
}
// ANCHOR_END: options

// ANCHOR: errors
async fn connect_or_explain(uri: &str) -> std::result::Result<Database, String> {
    match schema_runtime::connect(uri, "shop").await {
        Ok(db) => Ok(db),
        Err(Error::ConnectionString { .. }) => Err("the connection string is wrong".to_owned()),
        Err(Error::Connection { .. }) => Err("no server answers".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
// ANCHOR_END: errors

#[tokio::test]
async fn a_client_has_its_options() -> Result<()> {
    let name = schema_tests::database().await.name().to_owned();
    let db = connect_with_options(server().await.uri(), &name).await?;
    Part::insert(&db, &Part { id: 1, name: "bolt".to_owned() }).await?;
    assert_eq!(Part::get_by_id(&db, 1).await?.name, "bolt");
    let operations = vec![doc! { "$currentOp": { "idleConnections": true } }, doc! { "$match": { "appName": "shop" } }];
    let found = db.client().database("admin").aggregate(operations).await?.advance().await?;
    assert!(found, "the server sees the name of the application");
    Ok(())
}

#[tokio::test]
async fn a_failure_has_a_reason() {
    let wrong = connect_or_explain("http://127.0.0.1").await.unwrap_err();
    assert_eq!(wrong, "the connection string is wrong");
    let missing = connect_or_explain("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200").await.unwrap_err();
    assert_eq!(missing, "no server answers");
}
