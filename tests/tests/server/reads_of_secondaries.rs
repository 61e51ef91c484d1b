//! A client that prefers secondaries for its reads: transactions and the checks behind a write still run on the
//! primary. On a server without secondaries, any read from a secondary would wait and fail.

use std::time::Duration;

use mongodb::{
    Client,
    options::{ClientOptions, ReadPreference, SelectionCriteria},
};
use schema_runtime::{Error, prelude::*, transaction};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_items = 2)]
    books: Vec<i64>,
}

/// Returns a database with a client that reads from secondaries. The server has no secondaries.
async fn database_of_secondaries() -> Database {
    let name = schema_tests::database().await.name().to_owned();
    let mut options = ClientOptions::parse(schema_tests::server().await.uri()).await.unwrap();
    options.direct_connection = None;
    options.server_selection_timeout = Some(Duration::from_millis(500));
    options.selection_criteria =
        Some(SelectionCriteria::ReadPreference(ReadPreference::Secondary { options: Default::default() }));
    Client::with_options(options).unwrap().database(&name)
}

#[tokio::test]
async fn a_transaction_reads_from_the_primary() {
    let db = database_of_secondaries().await;
    Shelf::insert(&db, &Shelf { id: 1, books: vec![1] }).await.unwrap();
    let read = transaction(&db, |tx| async move {
        Shelf::update_by_id(1).push(Shelf::F.books, 2).execute(&tx).await?;
        Shelf::get_by_id(&tx, 1).await
    });
    assert_eq!(read.await.unwrap().books, [1, 2]);
}

#[tokio::test]
async fn a_refused_push_is_looked_into_on_the_primary() {
    let db = database_of_secondaries().await;
    Shelf::insert(&db, &Shelf { id: 1, books: vec![1, 2] }).await.unwrap();
    let push = Shelf::update_by_id(1).push(Shelf::F.books, 3).execute(&db).await;
    assert!(matches!(push, Err(Error::BoundExceeded { size: 3, bound: 2, .. })), "{push:?}");
    let push = Shelf::update_by_id(2).push(Shelf::F.books, 3).execute(&db).await;
    assert!(matches!(push, Err(Error::NotFound { .. })), "{push:?}");
    // A read of the user goes to the server that the client's options select.
    let read = Shelf::find_by_id(&db, 1).await;
    assert!(matches!(read, Err(Error::Connection { sent: false, .. })), "{read:?}");
}
