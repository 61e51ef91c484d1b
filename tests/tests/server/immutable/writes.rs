//! Writes of one value, and updates.

use std::collections::HashMap;

use mongodb::bson::Bson;
use schema_runtime::transaction;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "members")]
struct Member {
    #[serde(rename = "_id")]
    id: i64,
    #[immutable]
    kind: String,
    name: String,
    #[unversioned]
    logins: i64,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
}

fn member(id: i64) -> Member {
    let epoch = DateTime::from_millis(0);
    let (kind, name) = ("guest".to_owned(), "Ada".to_owned());
    Member { id, kind, name, logins: 3, version: 0, created: epoch, updated: epoch }
}

#[tokio::test]
async fn an_insert_sets_the_field() {
    let (db, log) = start().await;
    let f = Account::F;
    let document = stored(&db, "accounts", 1).await;
    assert_eq!(document.get_str("mail").ok(), Some("1@example.com"));
    log.clear();
    let upsert = Account::update_by_id(7)
        .set(f.name, "Bob")
        .set_on_insert(f.email, "7@example.com")
        .set_on_insert(f.tags, &[Some(7)][..])
        .set_on_insert(f.key, KEY)
        .set_on_insert(f.home, &account(7).home)
        .upsert();
    assert_eq!(upsert.clone().execute(&db).await.unwrap().upserted_id, Some(7));
    assert_eq!(Account::update_by_id(7).set(f.name, "Eve").execute(&db).await.unwrap().matched, 1);
    let again = Account::update_by_id(7).set(f.name, "Mia").set_on_insert(f.email, "other").upsert();
    assert_eq!(again.execute(&db).await.unwrap().matched, 1);
    let found = Account::find(f.id.eq(7)).reveal(f.key).fetch_one(&db).await.unwrap();
    let expected = Account { email: "7@example.com".into(), tags: vec![Some(7)], name: "Mia".into(), ..account(7) };
    assert_eq!(found, expected);
    Account::upsert(&db, &account(8)).await.unwrap();
    assert_eq!(stored(&db, "accounts", 8).await.get_str("mail").ok(), Some("8@example.com"));
}

/// Returns accounts that differ from the stored account, each with the stored name of the field.
fn others() -> Vec<(&'static str, Account)> {
    let pets: HashMap<_, _> = [("b".to_owned(), 2), ("a".to_owned(), 2)].into();
    vec![
        ("mail", Account { email: "x@example.com".into(), ..account(1) }),
        ("tags", Account { tags: vec![Some(1)], ..account(1) }),
        ("tags", Account { tags: vec![None, Some(1)], ..account(1) }),
        ("tags", Account { tags: vec![], ..account(1) }),
        ("plan", Account { plan: Some(1.0), ..account(1) }),
        ("home", Account { home: Home { pets, ..account(1).home }, ..account(1) }),
        ("key", Account { key: "other".to_owned().into(), ..account(1) }),
    ]
}

#[tokio::test]
async fn no_write_of_a_whole_value_changes_the_field() {
    let (db, log) = start().await;
    let before = stored(&db, "accounts", 1).await;
    for (field, other) in others() {
        let other = Account { name: "Eve".into(), ..other };
        log.clear();
        assert_refused(Account::replace(&db, &other).await, field);
        assert_eq!(names(&log), ["update", "find"], "{field}");
        assert_refused(Account::save(&db, &mut other.clone()).await, field);
        assert_refused(Account::upsert(&db, &other).await, field);
        assert_refused(Account::upsert_many(&db, [&other]).await, field);
        let outcome = transaction(&db, |tx| {
            let other = other.clone();
            async move { Account::replace(&tx, &other).await }
        });
        assert_refused(outcome.await, field);
        assert_eq!(stored(&db, "accounts", 1).await, before);
    }
}

#[tokio::test]
async fn a_write_of_the_stored_value_is_one_command() {
    let (db, log) = start().await;
    let pets = [("b".to_owned(), 2), ("a".to_owned(), 1)].into();
    let home = Home { pets, ..account(1).home };
    let mut same = Account { name: "Eve".into(), home, ..account(1) };
    Account::replace(&db, &same).await.unwrap();
    assert_eq!(names(&log), ["update"]);
    log.clear();
    same.name = "Mia".into();
    Account::save(&db, &mut same).await.unwrap();
    assert_eq!(names(&log), ["update"]);
    assert_eq!(stored(&db, "accounts", 1).await.get_str("name").ok(), Some("Mia"));
}

#[tokio::test]
async fn a_hidden_value_that_was_not_loaded_stays() {
    let (db, _) = start().await;
    let mut read = Account::get_by_id(&db, 1).await.unwrap();
    assert!(!read.key.is_loaded());
    read.name = "Eve".into();
    Account::save(&db, &mut read).await.unwrap();
    Account::replace(&db, &read).await.unwrap();
    let document = stored(&db, "accounts", 1).await;
    assert_eq!((document.get_str("key").ok(), document.get_str("name").ok()), (Some(KEY), Some("Eve")));
    read.email = "x@example.com".into();
    assert_refused(Account::save(&db, &mut read).await, "mail");
}

#[tokio::test]
async fn a_missing_field_counts_as_null() {
    let (db, _) = start().await;
    let accounts = db.collection::<Document>("accounts");
    accounts.update_one(doc! { "_id": 1 }, doc! { "$set": { "plan": Bson::Null } }).await.unwrap();
    Account::replace(&db, &account(1)).await.unwrap();
    assert_eq!(stored(&db, "accounts", 1).await.get("plan"), None);
    accounts.update_one(doc! { "_id": 1 }, doc! { "$set": { "plan": 2_i32 } }).await.unwrap();
    Account::replace(&db, &Account { plan: Some(2.0), ..account(1) }).await.unwrap();
    assert_refused(Account::replace(&db, &account(1)).await, "plan");
    let nan = Account { id: 9, plan: Some(f64::NAN), ..account(9) };
    Account::insert(&db, &nan).await.unwrap();
    Account::replace(&db, &nan).await.unwrap();
}

#[tokio::test]
async fn a_missing_document_is_no_other_value() {
    let (db, log) = start().await;
    assert!(matches!(Account::replace(&db, &account(9)).await, Err(Error::NotFound { .. })));
    assert_eq!(names(&log), ["update", "find"]);
    let upserted = Account::upsert_many(&db, [account(1), account(9)]).await.unwrap();
    assert_eq!((upserted.inserted, upserted.replaced), (1, 1));
}

#[tokio::test]
async fn a_version_conflict_comes_first() {
    let (db, _) = database_with_log().await;
    schema![Member].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let mut first = member(1);
    Member::create(&db, &mut first).await.unwrap();
    let mut old = first.clone();
    let mut other = Member { kind: "owner".into(), ..first.clone() };
    assert_refused(Member::save(&db, &mut other).await, "kind");
    first.name = "Eve".into();
    Member::save(&db, &mut first).await.unwrap();
    old.kind = "owner".into();
    assert!(matches!(Member::save(&db, &mut old).await, Err(Error::VersionConflict { .. })));
    assert!(matches!(Member::replace(&db, &old).await, Err(Error::VersionConflict { .. })));
    let other = Member { kind: "owner".into(), ..first.clone() };
    assert_refused(Member::upsert(&db, &other).await, "kind");
    assert_refused(Member::upsert_many(&db, [&other]).await, "kind");
    assert_eq!(Member::get_by_id(&db, 1).await.unwrap(), first);
}

#[tokio::test]
async fn raw_operators_are_the_way_out() {
    let (db, _) = start().await;
    let raw = Account::update_by_id(1).raw(doc! { "$set": { "mail": "right@example.com" } });
    raw.execute(&db).await.unwrap();
    assert_eq!(stored(&db, "accounts", 1).await.get_str("mail").ok(), Some("right@example.com"));
    assert_refused(Account::replace(&db, &account(1)).await, "mail");
    let right = Account { email: "right@example.com".into(), ..account(1) };
    Account::replace(&db, &right).await.unwrap();
}

#[tokio::test]
async fn a_failed_read_of_the_reason_is_the_error() {
    let (db, _) = start().await;
    let failure =
        schema_tests::fail_command(&db, doc! { "times": 1 }, doc! { "failCommands": ["find"], "errorCode": 13 }).await;
    let other = Account { email: "x@example.com".into(), ..account(1) };
    assert!(Account::replace(&db, &other).await.is_err());
    failure.clear().await;
    assert_eq!(stored(&db, "accounts", 1).await.get_str("mail").ok(), Some("1@example.com"));
}
