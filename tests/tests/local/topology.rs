//! Each topology starts and serves its purpose.

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{
    Error,
    local::{Server, Topology},
};

use crate::owner::becomes_true;

async fn start(topology: Topology) -> Server {
    Server::builder().own(true).topology(topology).start().await.unwrap()
}

async fn hello(db: &Database) -> Document {
    db.run_command(doc! { "hello": 1 }).await.unwrap()
}

/// Writes two documents in a transaction.
async fn transact(db: &Database) -> mongodb::error::Result<()> {
    let things = db.collection::<Document>("things");
    let mut session = db.client().start_session().await?;
    session.start_transaction().await?;
    things.insert_one(doc! { "_id": 1 }).session(&mut session).await?;
    things.insert_one(doc! { "_id": 2 }).session(&mut session).await?;
    session.commit_transaction().await
}

#[tokio::test]
async fn standalone_is_in_no_set() {
    let server = start(Topology::Standalone).await;
    let db = server.database("shop").await.unwrap();
    let hello = hello(&db).await;
    assert!(hello.get_bool("isWritablePrimary").unwrap());
    assert!(!hello.contains_key("setName"));
    db.collection("things").insert_one(doc! { "_id": 1 }).await.unwrap();
    assert!(transact(&db).await.is_err(), "only a replica set has transactions");
}

#[tokio::test]
async fn a_set_of_one_is_the_default_and_has_transactions() {
    let server = start(Topology::default()).await;
    let db = server.database("shop").await.unwrap();
    let hello = hello(&db).await;
    assert!(hello.get_bool("isWritablePrimary").unwrap());
    assert_eq!(hello.get_array("hosts").unwrap().len(), 1);
    transact(&db).await.unwrap();
    assert_eq!(db.collection::<Document>("things").count_documents(doc! {}).await.unwrap(), 2);
}

#[tokio::test]
async fn a_set_of_three_survives_the_loss_of_its_primary() {
    let server = start(Topology::ReplicaSet { members: 3 }).await;
    let db = server.database("shop").await.unwrap();
    let before = hello(&db).await;
    assert_eq!(before.get_array("hosts").unwrap().len(), 3);
    transact(&db).await.unwrap();

    let primary = before.get_str("primary").unwrap();
    let index = server.ports().iter().position(|port| primary == format!("127.0.0.1:{port}")).unwrap();
    let pid = server.pids().await[index];
    server.kill(index).await.unwrap();
    insert_soon(&db, 3).await;
    let after = hello(&db).await;
    assert_ne!(after.get_str("primary").unwrap(), primary);

    server.restart(index).await.unwrap();
    assert_ne!(server.pids().await[index], pid);
    let all = mongodb::options::WriteConcern::builder().w(mongodb::options::Acknowledgment::Nodes(3)).build();
    let things = db.collection::<Document>("things");
    things.insert_one(doc! { "_id": 4 }).write_concern(all).await.unwrap();
    assert_eq!(things.count_documents(doc! {}).await.unwrap(), 4);
}

/// Inserts a document. The write may have to wait for an election.
async fn insert_soon(db: &Database, id: i32) {
    let deadline = Instant::now() + schema_tests::PATIENCE;
    while let Err(error) = db.collection("things").insert_one(doc! { "_id": id }).await {
        assert!(Instant::now() < deadline, "{error}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn a_restart_keeps_the_data() {
    let server = start(Topology::Standalone).await;
    let db = server.database("shop").await.unwrap();
    let things = db.collection::<Document>("things");
    let journaled = mongodb::options::WriteConcern::builder().journal(true).build();
    things.insert_one(doc! { "_id": 1 }).write_concern(journaled).await.unwrap();
    let port = server.ports().to_vec();
    server.kill(0).await.unwrap();
    server.restart(0).await.unwrap();
    assert_eq!(server.ports(), port);
    let db = server.database("shop").await.unwrap();
    assert_eq!(db.collection::<Document>("things").count_documents(doc! {}).await.unwrap(), 1);
}

#[tokio::test]
async fn fail_points_work_on_request_only() {
    let command = doc! {
        "configureFailPoint": "failCommand", "mode": { "times": 1 },
        "data": { "failCommands": ["find"], "errorCode": 13 },
    };
    let with = Server::builder().own(true).fail_points(true).start().await.unwrap();
    let db = with.database("shop").await.unwrap();
    db.client().database("admin").run_command(command.clone()).await.unwrap();
    let find = async || db.collection::<Document>("things").find_one(doc! {}).await;
    assert!(find().await.unwrap_err().to_string().contains("failCommand"));
    find().await.unwrap();

    let without = start(Topology::default()).await;
    let admin = without.database("admin").await.unwrap();
    assert!(admin.run_command(command).await.is_err());
}

#[tokio::test]
async fn what_cannot_be_is_refused() {
    for members in [0, 8] {
        let error = Server::start(Topology::ReplicaSet { members }).await.unwrap_err();
        assert!(matches!(&error, Error::Embedded { message } if message.contains(&members.to_string())), "{error}");
    }
    let server = start(Topology::Standalone).await;
    let error = server.kill(1).await.unwrap_err();
    assert!(matches!(&error, Error::Embedded { message } if message == "there is no member 1"), "{error}");
}

#[tokio::test]
async fn the_data_are_where_they_are_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let here = || std::fs::read_dir(directory.path()).unwrap().count();
    let server = Server::builder().own(true).topology(Topology::Standalone).data_in(directory.path()).start().await;
    assert_eq!(here(), 1);
    drop(server.unwrap());
    assert!(becomes_true(|| here() == 0));
    let nowhere = directory.path().join("nowhere");
    let error = Server::builder().own(true).data_in(&nowhere).start().await.unwrap_err().to_string();
    assert!(error.contains("no directory of data can be made"), "{error}");
}

#[tokio::test]
async fn mongod_says_why_it_does_not_start() {
    let error = Server::builder().own(true).cache_gigabytes(-1.0).start().await.unwrap_err().to_string();
    assert!(error.contains("wiredTigerCacheSizeGB") || error.contains("cacheSizeGB"), "{error}");
}
