//! The majority lags behind the primary: a recompute reads as a majority has it, and a client reads what was cleared on the primary a moment
//! ago as cleared.

use std::time::Duration;

use mongodb::{
    bson::{Document, doc, oid::ObjectId},
    options::WriteConcern,
};
use schema_runtime::{
    Throttle,
    embedded::{Server, Topology},
    prelude::*,
    schema,
};
use schema_tests::{
    Fault, Proxy,
    rollups::{Counter, Host, LogMsg, assert_no_marks, assert_right, host, message},
};

/// The command of `recover` that looks for records about the new host.
const COUNTED: usize = 2;

/// The server acknowledges no write with a majority until this is off again.
async fn lag(db: &Database, mode: &str) {
    let point = doc! { "configureFailPoint": "pauseJournalFlusherThread", "mode": mode };
    db.client().database("admin").run_command(point).await.expect("fail points are on");
}

/// A message was moved away while its host was not there: nobody has counted that for the one that is inserted again. Its record is cleared on
/// the primary alone when the host counts its messages.
#[tokio::test]
async fn a_host_that_comes_again_beside_a_clear() {
    let server = Server::builder().own(true).fail_points(true).topology(Topology::ReplicaSet { members: 1 });
    let server = server.start().await.expect("a server");
    let db = server.database("lagging").await.expect("a client");
    let schema = schema![Host, LogMsg, Counter];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 2)]).await.unwrap();
    let (hosts, messages) = (db.collection::<Document>("hosts"), db.collection::<Document>("logmsg"));
    // The host 1 is there again, and its client has stopped before it has counted anything.
    let new = ObjectId::new();
    let state = doc! { "$set": { "_rollup_logmsg_host": { "new": new, "corrected": new }, "messages": 0_i64, "totalBytes": 0_i64 } };
    hosts.update_one(doc! { "_id": 1_i64 }, state).await.unwrap();
    // The message 2 was in it, as its record says.
    let says = doc! { "bytes": "$bytes", "size": "$size", "text": "$text", "time": "$time" };
    let at = [doc! { "parent": 1_i64, "has": &says }, doc! { "parent": 2_i64, "has": &says }];
    let record = doc! { "_pending_logmsg_host": { "mark": ObjectId::new(), "at": at.to_vec() } };
    messages.update_one(doc! { "_id": 2_i64 }, vec![doc! { "$set": record }]).await.unwrap();

    let proxy = Proxy::before(server.uri(), [(COUNTED, Fault::Hold)]).await;
    let behind = proxy.database(db.name()).await;
    let recover = tokio::spawn(async move { schema![Host].recover(&behind, &Throttle::new()).await.map(drop) });
    proxy.reached().await;
    assert_eq!(proxy.names(), ["find", "update", "find"], "it has not looked yet");
    lag(&db, "alwaysOn").await;
    let clear = doc! { "$unset": { "_pending_logmsg_host": "" } };
    messages.update_one(doc! { "_id": 2_i64 }, clear).write_concern(WriteConcern::nodes(1)).await.unwrap();
    proxy.release();
    tokio::time::sleep(Duration::from_millis(600)).await;
    lag(&db, "off").await;
    recover.await.unwrap().unwrap();
    assert_right(&db).await;
    assert_no_marks(&db).await;
}
