//! An upsert that inserts by its filter obeys all rules of an insert.

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    #[bound(max_len = 3)]
    id: String,
    #[bound(max_len = 3)]
    text: String,
    n: i32,
    #[bound(max_items = 2)]
    tags: Vec<String>,
    #[version]
    version: i64,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i32,
    #[copied_to(Message::ip)]
    #[changes(seldom)]
    ip: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "messages")]
struct Message {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.ip)]
    ip: Option<String>,
    n: i32,
}

async fn raw(db: &Database) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let found = db.collection::<Document>("notes").find(doc! {}).await.unwrap();
    found.try_collect().await.unwrap()
}

#[tokio::test]
async fn a_bound_holds_for_what_the_filter_inserts() {
    let db = database().await;
    let f = Note::F;
    let refused = |error: &Error| matches!(error, Error::BoundExceeded { .. });
    let long = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
    for filter in [
        f.id.eq("12345"),
        f.id.eq("a") & f.text.eq("12345"),
        f.id.eq("a") & f.text.is_in(["12345"]),
        f.id.eq("a") & Filter::raw(doc! { "text": { "$all": ["12345"] } }),
        f.id.eq("a") & Filter::raw(doc! { "$or": [{ "text": "12345" }] }),
        f.id.eq("a") & f.tags.eq(&long),
    ] {
        let one = Note::update_one(filter.clone()).set(f.n, 1).upsert().execute(&db).await;
        assert!(one.as_ref().is_err_and(refused), "{one:?}");
        let many = Note::update_many(filter.clone()).set(f.n, 1).upsert().execute(&db).await;
        assert!(many.as_ref().is_err_and(refused), "{many:?}");
        let found = Note::find_one_and_update(filter.clone()).set(f.n, 1).upsert().fetch_after(&db).await;
        assert!(found.as_ref().is_err_and(refused), "{found:?}");
        let bulk = Note::bulk().update(Note::update_one(filter).set(f.n, 1).upsert()).execute(&db).await;
        assert!(matches!(&bulk, Err(Error::Bulk { source, .. }) if refused(source)), "{bulk:?}");
    }
    let by_id = Note::update_by_id("12345".to_owned()).set(f.n, 1).upsert().execute(&db).await;
    assert!(by_id.as_ref().is_err_and(refused), "{by_id:?}");
    assert!(raw(&db).await.is_empty());
    // A value that the update replaces is not inserted.
    let replaced = Note::update_one(f.id.eq("a") & f.text.eq("12345")).set(f.text, "abc").set(f.n, 1).upsert();
    replaced.execute(&db).await.unwrap();
    assert_eq!(raw(&db).await[0].get_str("text").unwrap(), "abc");
}

#[tokio::test]
async fn the_version_begins_at_one_whatever_the_filter_says() {
    let db = database().await;
    let f = Note::F;
    for (id, filter) in [
        ("a", f.version.eq(3)),
        ("b", f.version.is_in([3])),
        ("c", f.version.eq(3) & f.text.eq("x")),
        ("d", Filter::raw(doc! { "$and": [{ "version": { "$eq": 3_i64 } }] })),
    ] {
        let filter = f.id.eq(id) & filter;
        let inserted = Note::update_one(filter.clone()).set(f.n, 1).upsert().execute(&db).await.unwrap();
        assert!(inserted.upserted_id.is_some(), "{id}");
        // A document with another version exists.
        let again = Note::update_one(filter).set(f.n, 2).upsert().execute(&db).await;
        assert!(matches!(again, Err(Error::DuplicateKey { .. })), "{again:?}");
        Note::update_one(f.id.eq(id) & f.version.eq(1)).set(f.n, 3).upsert().execute(&db).await.unwrap();
    }
    for note in raw(&db).await {
        assert_eq!((note.get_i32("n").unwrap(), note.get("version").and_then(number)), (3, Some(2)), "{note}");
    }
}

#[tokio::test]
async fn an_element_is_not_inserted_as_its_array() {
    let db = database().await;
    let f = Note::F;
    Note::update_one(f.id.eq("a") & f.tags.contains("x")).set(f.n, 1).upsert().execute(&db).await.unwrap();
    assert_eq!(raw(&db).await[0].get("tags"), None);
    let tags = Note::update_one(f.id.eq("b") & f.tags.contains("x")).set(f.tags, ["x"]).set(f.n, 1).upsert();
    tags.clone().execute(&db).await.unwrap();
    assert_eq!(tags.execute(&db).await.unwrap().matched, 1);
}

fn number(value: &mongodb::bson::Bson) -> Option<i64> {
    value.as_i64().or(value.as_i32().map(i64::from))
}

#[tokio::test]
async fn a_reference_of_the_filter_is_looked_for() {
    let db = database().await;
    schema![Host, Message].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &Host { id: 1, ip: "10.0.0.1".to_owned() }).await.unwrap();
    let f = Message::F;
    for filter in [f.host.eq(Ref::new(77)), f.host.is_in([Ref::<Host>::new(77)])] {
        let filter = f.id.eq(1) & filter;
        let dangling = Message::update_one(filter.clone()).set(f.n, 1).upsert().execute(&db).await;
        assert!(matches!(dangling, Err(Error::DanglingReference { .. })), "{dangling:?}");
        let found = Message::find_one_and_update(filter).set(f.n, 1).upsert().fetch_after(&db).await;
        assert!(matches!(found, Err(Error::DanglingReference { .. })), "{found:?}");
    }
    assert_eq!(Message::find(Filter::all()).count(&db).await.unwrap(), 0);
    Message::update_one(f.id.eq(1) & f.host.is_in([Ref::<Host>::new(1)]))
        .set(f.n, 1)
        .upsert()
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(Message::get_by_id(&db, 1).await.unwrap().ip.as_deref(), Some("10.0.0.1"));
    // A stored document may refer to a missing document.
    Host::delete_by_id(&db, 1).await.unwrap();
    let there =
        Message::update_one(f.id.eq(1) & f.host.eq(Ref::new(1))).set(f.n, 2).upsert().execute(&db).await.unwrap();
    assert_eq!(there.matched, 1);
}
