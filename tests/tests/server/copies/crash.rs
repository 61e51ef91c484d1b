//! `recover` a moment after a client was killed: a majority may not have the writes of the client yet.

use mongodb::{
    bson::{Document, doc, oid::ObjectId},
    options::{Acknowledgment, WriteConcern},
};
use schema_runtime::Throttle;
use schema_tests::{
    copies::{Place, marks, prepare, stale},
    database,
};

/// Writes like a client that is gone before its answer: on the primary alone, with the marks of the protocol.
#[tokio::test]
async fn what_is_on_no_majority_is_recovered() {
    let db = database().await;
    let schema = prepare(&db).await;
    let place = Place(1);
    place.begin(&db).await.unwrap();
    let alone = WriteConcern::builder().w(Acknowledgment::Nodes(1)).journal(false).build();
    for round in 0..20 {
        let mark = ObjectId::new();
        let write = doc! {
            "$set": { "label": format!("100:round {round}"), "_sync_items_owner": mark, "_sync_items_backup": mark },
            "$currentDate": { "_v": { "$type": "timestamp" } },
        };
        let owners = db.collection::<Document>("owners");
        owners.update_one(doc! { "_id": place.id(0) }, write).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_eq!(stale(&db, place.range()).await, [] as [Document; 0], "source, round {round}");

        let write = doc! {
            "$set": { "label": "before", "count": -1_i64, "_look_items_owner": mark },
            "$unset": { "_v_owner": "" },
        };
        let items = db.collection::<Document>("items");
        items.update_one(doc! { "_id": place.id(0) }, write).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Throttle::new()).await.unwrap();
        assert_eq!(stale(&db, place.range()).await, [] as [Document; 0], "holder, round {round}");
        assert_eq!(marks(&db, place.range(), &["_sync", "_look"]).await, [] as [Document; 0], "round {round}");
    }
}
