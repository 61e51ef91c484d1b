//! `connect`: a server that answers, and a clear error for each way in which a server does not answer.

pub(super) mod fake;

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, connect};
use schema_tests::server;

#[tokio::test]
async fn a_server_that_answers() {
    let db = connect(server().await.uri(), "shop").await.unwrap();
    assert_eq!(db.name(), "shop");
    db.run_command(doc! { "ping": 1 }).await.unwrap();
}

/// Returns an address without a listener.
pub(super) fn silent_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[tokio::test]
async fn no_server_is_one_error_with_the_address_and_without_the_login() {
    let address = silent_address();
    let began = Instant::now();
    let uri = format!("mongodb://ann:hunter2@{address}/?serverSelectionTimeoutMS=300");
    let error = connect(&uri, "shop").await.unwrap_err();
    assert!(matches!(&error, Error::Connection { address: tried, .. } if *tried == address), "{error}");
    assert!(began.elapsed() < Duration::from_secs(4), "the string's own timeout counts");
    let text = format!("{error} {error:?}");
    assert!(!text.contains("hunter2") && !text.contains("ann:"), "{text}");
}

#[tokio::test]
async fn without_a_timeout_of_its_own_a_string_gets_five_seconds() {
    let began = Instant::now();
    let error = connect(&format!("mongodb://{}", silent_address()), "shop").await.unwrap_err();
    assert!(matches!(error, Error::Connection { .. }), "{error}");
    let seconds = began.elapsed().as_secs();
    assert!((5..15).contains(&seconds), "{seconds} s");
}

#[tokio::test]
async fn a_wrong_string_is_one_error_that_does_not_repeat_it() {
    for uri in [
        "",
        "hunter2",
        "http://ann:hunter2@host",
        "mongodb://",
        "mongodb://ann:hunter2",
        "mongodb://ann:hun?ter2=1@host",
        "mongodb://ann:hunter2@host:hunter2",
        "mongodb://ann:hunter2@host:99999",
        "mongodb://ann:%hunter2@host",
        "mongodb://host/?hunter2",
        "mongodb://host/?authMechanism=hunter2",
        "mongodb://host/?readPreference=hunter2",
        "mongodb+srv://ann:hunter2@host:1",
        "mongodb://host/?directConnection=true&replicaSet=hunter2&loadBalanced=true",
        "mongodb://host/?maxPoolSize=0&appName=hunter2",
    ] {
        let error = connect(uri, "shop").await.unwrap_err();
        assert!(matches!(error, Error::ConnectionString { .. }), "{uri}: {error:?}");
        let text = format!("{error} {error:?}");
        assert!(!text.contains("ter2") && !text.contains("hun") && !text.contains("ann:"), "{uri}: {text}");
    }
}

#[tokio::test]
async fn an_older_server_is_one_error_with_its_version() {
    for (version, wire) in [("5.0.31", 13), ("4.4.29", 9)] {
        let error = connect(&fake::server(version, wire), "shop").await.unwrap_err();
        assert!(matches!(&error, Error::ServerTooOld { found } if found == version), "{error:?}");
        assert!(error.to_string().contains("6.0"), "{error}");
    }
    // The version is too old for a request of the driver.
    let error = connect(&fake::server("4.2.25", 8), "shop").await.unwrap_err();
    assert!(matches!(&error, Error::ServerTooOld { found } if found == "older than 4.4"), "{error:?}");
}

#[tokio::test]
async fn the_same_server_with_a_newer_version_is_taken() {
    connect(&fake::server("6.0.0", 17), "shop").await.unwrap();
}

#[tokio::test]
async fn what_the_server_refuses_is_reported_as_it_is() {
    let error =
        connect(&fake::refusing(doc! { "ok": 0, "code": 13, "errmsg": "not allowed" }), "shop").await.unwrap_err();
    assert_eq!(error.to_string(), "the server refused the command with code 13");
    let Error::Driver(error) = &error else { panic!("{error:?}") };
    assert!(error.to_string().contains("not allowed"), "{error}");
}

/// Returns the document that [`fake`] answers with.
fn hello(wire: i32) -> Document {
    doc! {
        "ok": 1, "ismaster": true, "isWritablePrimary": true, "helloOk": true, "minWireVersion": 0, "maxWireVersion": wire,
        "maxBsonObjectSize": 16_777_216, "maxMessageSizeBytes": 48_000_000, "maxWriteBatchSize": 100_000, "readOnly": false,
    }
}
