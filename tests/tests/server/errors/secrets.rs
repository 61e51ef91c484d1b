//! No error contains a connection string or a part of a connection string, in any form.

use std::{error::Error as _, time::Duration};

use mongodb::{Client, bson::doc, options::ClientOptions};
use schema_runtime::{connect, prelude::*};
use schema_tests::{fail_command, server};

use super::{User, user};

/// Returns all texts that an error may show in a log.
fn all_texts(error: &Error) -> String {
    let mut texts = format!("{error} {error:?} {error:#?}");
    let mut source = error.source();
    while let Some(cause) = source {
        texts += &format!(" {cause} {cause:?} {cause:#?}");
        source = cause.source();
    }
    texts
}

fn assert_silent(what: &str, error: &Error) {
    let texts = all_texts(error).to_lowercase();
    // The secret as plain text, percent-encoded, and as the bytes of a reply.
    for secret in ["hunter2", "hunter%32", "68756e74657232", "ann:"] {
        assert!(!texts.contains(secret), "{what}: {texts}");
    }
}

#[tokio::test]
async fn a_password_is_in_no_error_of_connect() {
    let address = crate::connect::silent_address();
    let host = server().await.uri().trim_start_matches("mongodb://").split(['/', '?']).next().unwrap().to_owned();
    for uri in [
        // No server listens at the address.
        format!("mongodb://ann:hunter2@{address}/?serverSelectionTimeoutMS=200"),
        format!("mongodb://ann:hunter%32@{address}/?serverSelectionTimeoutMS=200"),
        // The server does not know this user.
        format!("mongodb://ann:hunter2@{host}/?directConnection=true"),
        format!("mongodb://ann:hunter%32@{host}/?directConnection=true&authMechanism=SCRAM-SHA-1"),
        format!("mongodb://ann:hunter2@{host}/?directConnection=true&authMechanism=PLAIN&authSource=$external"),
        // The server does not support TLS.
        format!("mongodb://ann:hunter2@{host}/?tls=true&serverSelectionTimeoutMS=300"),
        // The connection string is malformed.
        "mongodb://ann:hunter2@".to_owned(),
        "mongodb://ann:hunter2@host/?tlsCertificateKeyFilePassword=hunter2&tls=maybe".to_owned(),
        "mongodb+srv://ann:hunter2@no-such-host.invalid".to_owned(),
    ] {
        let error = connect(&uri, "shop").await.map(drop).expect_err(&uri);
        assert_silent(&uri, &error);
    }
}

/// The errors of a connection that fails after a good start contain no password either, for each way in which a command
/// can fail.
#[tokio::test]
async fn a_password_is_in_no_error_of_an_operation() {
    let plain = schema_tests::database().await;
    let create = doc! { "createUser": "ann", "pwd": "hunter2", "roles": ["readWrite"] };
    plain.run_command(create).await.unwrap();
    let host = server().await.uri().trim_start_matches("mongodb://").split(['/', '?']).next().unwrap().to_owned();
    let uri = format!("mongodb://ann:hunter2@{host}/{}?directConnection=true&appName={0}", plain.name());
    let mut options = ClientOptions::parse(uri).await.unwrap();
    options.server_selection_timeout = Some(Duration::from_secs(2));
    let db = Client::with_options(options).unwrap().database(plain.name());
    User::insert(&db, &user(1, "one")).await.unwrap();

    for failure in [
        doc! { "closeConnection": true },
        doc! { "errorCode": 18 },
        doc! { "errorCode": 50 },
        doc! { "errorCode": 10107 },
        doc! { "errorCode": 8000 },
    ] {
        let mut data = doc! { "failCommands": ["find", "insert", "update", "delete", "saslStart"] };
        data.extend(failure.clone());
        let point = fail_command(&plain, "alwaysOn", data).await;
        let one = user(2, "two");
        let errors = [
            User::find(Filter::all()).fetch_all(&db).await.unwrap_err(),
            User::insert(&db, &one).await.unwrap_err(),
            User::replace(&db, &one).await.unwrap_err(),
            User::delete(&db, &one).await.unwrap_err(),
        ];
        point.clear().await;
        for error in errors {
            assert_silent(&failure.to_string(), &error);
        }
    }
    let error = User::insert(&db, &user(1, "one")).await.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error:?}");
    assert_silent("a duplicate key", &error);
}
