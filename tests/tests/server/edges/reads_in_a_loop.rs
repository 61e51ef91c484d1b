//! The event about a read for each document counts the reads of the same span, in the same attempt of a transaction.

use std::sync::atomic::{AtomicU32, Ordering};

use mongodb::bson::Document;
use schema_runtime::{prelude::*, transaction};
use schema_tests::{Spans, database};
use tracing::Instrument;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "carts")]
struct Cart {
    #[serde(rename = "_id")]
    id: i64,
    items: i64,
}

const NAMED: &str = "Cart::find(Cart::F.id.is_in(ids)).fetch_all(&db)";

fn named(spans: &Spans) -> Vec<String> {
    spans.events().iter().filter_map(|event| event.get("instead").cloned()).collect()
}

async fn read(db: &Database, times: u32) {
    for _ in 0..times {
        Cart::find_by_id(db, 1).await.unwrap();
    }
}

/// A task without a span, like the task of a server that serves all requests of a connection.
#[tokio::test]
async fn a_task_without_a_span_is_no_place() {
    let db = database().await;
    let (spans, _guard) = Spans::collect();
    let local = tokio::task::LocalSet::new();
    local.run_until(async { tokio::task::spawn_local(async move { read(&db, 30).await }).await.unwrap() }).await;
    assert_eq!(named(&spans), [""; 0]);
}

#[tokio::test]
async fn attempts_of_a_transaction_are_counted_anew() {
    let db = database().await;
    Cart::insert(&db, &Cart { id: 1, items: 0 }).await.unwrap();
    let (spans, _guard) = Spans::collect();
    for (reads, expected) in [(4, 0), (10, 1)] {
        let attempts = AtomicU32::new(0);
        let (db, count) = (&db, &attempts);
        transaction(db, |tx| async move {
            for _ in 0..reads {
                Cart::find_by_id(&tx, 1).await?;
            }
            if count.fetch_add(1, Ordering::Relaxed) < 3 {
                // Another client writes the document, and the transaction's own write is refused.
                let raw = db.client().database(db.name()).collection::<Document>("carts");
                raw.update_one(doc! { "_id": 1_i64 }, doc! { "$inc": { "items": 1_i64 } }).await.unwrap();
            }
            Cart::update_by_id(1).inc(Cart::F.items, 1).execute(&tx).await.map(drop)
        })
        .instrument(tracing::info_span!(target: "schema_runtime_user", "request"))
        .await
        .unwrap();
        assert_eq!(attempts.into_inner(), 4);
        let named = named(&spans);
        assert_eq!(!named.is_empty(), expected == 1, "{named:?}");
        assert!(named.iter().all(|it| it == NAMED), "{named:?}");
    }
}
