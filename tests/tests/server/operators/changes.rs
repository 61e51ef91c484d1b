//! Changes by operators of the server: bits, moves of a value, removals at the ends of a list, additions at a position.
//! Each is a part of one command, also on a model with copies, rollups and links.

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "jobs")]
struct Job {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    flags: u16,
    #[bound(max_len = 10)]
    draft: Option<String>,
    #[bound(max_len = 10)]
    text: Option<String>,
    #[bound(max_len = 5)]
    short: Option<String>,
    #[bound(max_items = 4, max_len = 8)]
    steps: Vec<String>,
    #[relation(one_to_one, embed)]
    inner: Option<Inner>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Inner {
    note: Option<String>,
    old: Option<String>,
    #[bound(max_items = 3)]
    list: Vec<i32>,
}

fn job(id: i64) -> Job {
    let steps = ["a", "b"].map(str::to_owned).to_vec();
    let inner = Inner { note: Some("note".to_owned()), old: None, list: vec![1, 2, 3] };
    let draft = Some("draft".to_owned());
    Job { id, version: 1, flags: 0b1010, draft, text: None, short: None, steps, inner: Some(inner) }
}

#[tokio::test]
async fn each_is_an_operator_of_one_command() {
    let (db, log) = database_with_log().await;
    Job::insert(&db, &job(1)).await.unwrap();
    let f = Job::F;
    log.clear();
    Job::update_by_id(1)
        .bit_or(f.flags, 0b101)
        .rename(f.draft, f.text)
        .push_each_at(f.steps, 1, ["x", "y"])
        .pop_first(f.inner.list)
        .execute(&db)
        .await
        .unwrap();
    let update = log.named("update")[0].get_array("updates").unwrap()[0].as_document().unwrap().clone();
    let expected = doc! {
        "$bit": { "flags": { "or": 0b101 } }, "$rename": { "draft": "text" },
        "$push": { "steps": { "$each": ["x", "y"], "$position": 1_i64 } }, "$pop": { "inner.list": -1 },
        "$inc": { "version": 1 },
    };
    let sent = update.get_document("u").unwrap();
    assert_eq!(sent.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert_eq!(sent.get_document("$push").unwrap(), expected.get_document("$push").unwrap());
    assert_eq!(sent.get_document("$rename").unwrap(), expected.get_document("$rename").unwrap());
    let after = Job::get_by_id(&db, &1).await.unwrap();
    assert_eq!((after.flags, after.version), (0b1111, 2));
    assert_eq!((after.draft.as_deref(), after.text.as_deref()), (None, Some("draft")));
    assert_eq!(after.steps, ["a", "x", "y", "b"]);
    assert_eq!(after.inner.unwrap().list, [2, 3]);

    let update = || Job::update_by_id(1);
    update().bit_and(f.flags, 0b110).pop_last(f.steps).execute(&db).await.unwrap();
    update().bit_xor(f.flags, u16::MAX).push_at(f.steps, 99, "end").execute(&db).await.unwrap();
    let after = Job::get_by_id(&db, &1).await.unwrap();
    assert_eq!((after.flags, after.steps), (!0b110, ["a", "x", "y", "end"].map(str::to_owned).to_vec()));
}

#[tokio::test]
async fn what_is_refused_before_it_is_sent() {
    let (db, log) = database_with_log().await;
    Job::insert(&db, &job(1)).await.unwrap();
    let (f, update) = (Job::F, || Job::update_by_id(1));
    log.clear();
    let refused = [
        update().rename(f.draft, f.short),
        update().push_at(f.steps, 0, "x").push(f.steps, "y"),
        update().push(f.steps, "x").push_at(f.steps, 0, "y"),
        update().push_at(f.steps, 0, "x").push_at(f.steps, 0, "y"),
        update().bit_or(f.flags, 1).bit_or(f.flags, 2),
    ];
    for update in refused {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(error, Error::Update { .. }), "{error}");
    }
    let long = update().push_at(f.steps, 0, "123456789").execute(&db).await.unwrap_err();
    assert!(matches!(long, Error::BoundExceeded { bound: 8, .. }), "{long}");
    assert!(log.commands().is_empty());
    update().push_each_at(f.steps, 0, ["x", "y"]).execute(&db).await.unwrap();
    let full = update().push_at(f.steps, 0, "z").execute(&db).await.unwrap_err();
    assert!(matches!(full, Error::BoundExceeded { bound: 4, .. }), "{full}");
}

#[tokio::test]
async fn a_document_without_the_parts_stays_as_before() {
    let db = database().await;
    let without = Job { inner: None, ..job(1) };
    Job::insert(&db, &without).await.unwrap();
    let f = Job::F;
    for update in [
        Job::update_by_id(1).rename(f.inner.note, f.inner.old),
        Job::update_by_id(1).pop_last(f.inner.list),
        Job::update_by_id(1).push_at(f.inner.list, 0, 1),
    ] {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
    }
    assert_eq!(Job::get_by_id(&db, &1).await.unwrap(), without);
    let raw = db.collection::<Document>("jobs");
    raw.update_one(doc! {}, doc! { "$unset": { "draft": "" } }).await.unwrap();
    Job::update_by_id(1).rename(f.draft, f.text).execute(&db).await.unwrap();
    assert_eq!(Job::get_by_id(&db, &1).await.unwrap().text, None, "no value moves");
}
