//! Writes under a unique index without case: every kind of write names the field of the conflict.

use schema_runtime::{Error, prelude::*};
use schema_tests::database;

use super::{User, prepare, user};

fn is_of_email(error: Option<Error>) {
    let Some(Error::DuplicateKey { fields, index, .. }) = error else { panic!("{error:?}") };
    assert_eq!((fields, index.as_str()), (vec!["email".to_owned()], "email_1_en_2"));
}

#[tokio::test]
async fn each_write_reports_the_field_of_the_conflict() {
    let db = database().await;
    prepare(&db).await;
    User::insert(&db, &user(1, "kate@x.no", "Kate")).await.unwrap();
    User::insert(&db, &user(2, "ola@x.no", "Ola")).await.unwrap();
    let taken = user(3, "KATE@x.no", "Other");
    is_of_email(User::insert(&db, &taken).await.err());
    is_of_email(User::upsert(&db, &taken).await.err());
    is_of_email(User::update_by_id(2).set(User::F.email, "Kate@X.no").execute(&db).await.err());
    let found = User::by_email("kate@X.NO").fetch_all(&db).await.unwrap();
    assert_eq!(found.into_iter().map(|user| user.id).collect::<Vec<_>>(), [1]);
}

/// The filter of an update is compared under the collation of the operation: a document in another case is updated.
#[tokio::test]
async fn an_update_by_a_filter_carries_the_collation() {
    let db = database().await;
    prepare(&db).await;
    User::insert(&db, &user(1, "kate@x.no", "Kate")).await.unwrap();
    let update = User::update_one(User::F.email.eq("KATE@X.NO")).set(User::F.name, "K").case_insensitive();
    assert_eq!(update.execute(&db).await.unwrap().matched, 1);
    assert_eq!(User::find_by_id(&db, 1).await.unwrap().map(|user| user.name), Some("K".to_owned()));
}
