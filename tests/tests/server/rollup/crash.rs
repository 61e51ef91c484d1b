//! `recover` a moment after a client was killed: what that wrote may not be on a majority yet.

use mongodb::{
    bson::{Document, doc, oid::ObjectId},
    options::{Acknowledgment, WriteConcern},
};
use schema_runtime::{Pace, prelude::*, schema};
use schema_tests::{
    database,
    rollups::{Counter, Host, LogMsg, assert_no_marks, assert_right, host, message},
};

/// Writes as a client does that is gone before its answer: on the primary alone, with the marks of the protocol.
#[tokio::test]
async fn what_is_on_no_majority_is_recovered() {
    let db = database().await;
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert(&db, &message(1, 1)).await.unwrap();
    let alone = WriteConcern::builder().w(Acknowledgment::Nodes(1)).journal(false).build();
    let (hosts, messages) = (db.collection::<Document>("hosts"), db.collection::<Document>("logmsg"));
    for round in 0..20 {
        let mark = ObjectId::new();
        let changed = doc! { "$set": { "size": round, "_pending.logmsg_host": mark } };
        messages.update_one(doc! { "_id": 1_i64 }, changed).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Pace::new()).await.unwrap();
        assert_right(&db).await;

        let left = doc! { "parent": "$host", "mark": mark };
        let moved = doc! { "$set": {
            "_left.logmsg_host": [left], "_pending.logmsg_host": mark, "host": { "$subtract": [3_i64, "$host"] },
        } };
        messages.update_one(doc! { "_id": 1_i64 }, vec![moved]).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Pace::new()).await.unwrap();
        assert_right(&db).await;

        let closed = doc! { "$set": {
            "_rollup.logmsg_host": mark, "_recompute.logmsg_host": mark, "messages": 100_i64,
        } };
        hosts.update_one(doc! { "_id": 1_i64 }, closed).write_concern(alone.clone()).await.unwrap();
        schema.recover(&db, &Pace::new()).await.unwrap();
        assert_right(&db).await;
        assert_no_marks(&db).await;
    }
}
