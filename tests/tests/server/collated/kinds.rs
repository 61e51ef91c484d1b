//! Each kind of collection with a collation, beside shard keys, versions, histories and trees.

use schema_tests::database;

use super::*;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "events", capped(size = "64KiB"), collation(locale = "en", strength = 2))]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[index]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "sessions", clustered, collation(locale = "en", strength = 2))]
struct Session {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    name: String,
    #[version]
    version: i64,
    #[history(keep = 3)]
    past: Vec<String>,
}

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "readings", time_series(time = at, meta = sensor), collation(locale = "en", strength = 2))]
#[index(sensor, at)]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    sensor: String,
    state: String,
}

/// A view of a collection with a collation compares by bytes.
#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "named", view(of = Event))]
struct Named {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

const KINDS: Schema = schema![Event, Session, Reading, Named];

/// A shard key has an index that compares by bytes, also where the index of a query has the same keys.
#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "orders", collation(locale = "en", strength = 2))]
#[shard_key(user, distinct(user = 100_000))]
#[query(of_user(user))]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    user: i64,
    note: String,
}

#[tokio::test]
async fn a_shard_key_has_an_index_by_bytes() {
    let db = database().await;
    applied(schema![Order], &db).await;
    is_settled(schema![Order], &db).await;
    let mut names = db.collection::<Order>("orders").list_index_names().await.expect("the indexes");
    names.sort();
    assert_eq!(names, ["_id_", "user_1", "user_1_simple"]);
    let order = Order { id: ObjectId::new(), user: 1, note: "Abc".to_owned() };
    Order::insert(&db, &order).await.expect("inserted");
    assert_eq!(Order::find(Order::F.note.eq("ABC")).count(&db).await.expect("counted"), 1);
}

/// Versions, histories and saves of documents of one `_id`.
#[tokio::test]
async fn a_clustered_collection_with_a_version_and_a_history() {
    let db = database().await;
    applied(KINDS, &db).await;
    let mut session = Session { id: 1, name: "Abc".to_owned(), version: 0, past: Vec::new() };
    Session::insert(&db, &session).await.expect("inserted");
    session.name = "ABC".to_owned();
    Session::save(&db, &mut session).await.expect("saved");
    Session::update_by_id(1).record(Session::F.past, "x").execute(&db).await.expect("updated");
    let stored = Session::get_by_id(&db, &1).await.expect("read");
    assert_eq!((stored.name.as_str(), stored.past.as_slice(), stored.version), ("ABC", ["x".to_owned()].as_slice(), 2));
    let again = Session::insert(&db, &Session { id: 2, name: "abc".to_owned(), ..stored }).await;
    assert!(matches!(again, Err(schema_runtime::Error::DuplicateKey { .. })), "{again:?}");
}

#[tokio::test]
async fn each_kind_has_its_collation() {
    let db = database().await;
    applied(KINDS, &db).await;
    is_settled(KINDS, &db).await;
    for (id, name) in [(1, "Abc"), (2, "ABC")] {
        Event::insert(&db, &Event { id, name: name.to_owned() }).await.expect("inserted");
        let (at, text) = (DateTime::from_millis(id), name.to_owned());
        Reading::insert(&db, &Reading { id, at, sensor: text.clone(), state: text }).await.expect("inserted");
    }
    assert_eq!(Event::find(Event::F.name.eq("abc")).count(&db).await.expect("counted"), 2);
    assert_eq!(Reading::find(Reading::F.sensor.eq("abc")).count(&db).await.expect("counted"), 2);
    assert_eq!(Named::find(Named::F.name.eq("abc")).count(&db).await.expect("counted"), 0);
    assert_eq!(Named::find(Named::F.name.eq("Abc")).count(&db).await.expect("counted"), 1);
    assert!(KINDS.verify(&db).await.expect("read").is_clean());
    KINDS.recover(&db, &schema_runtime::Throttle::new()).await.expect("recovered");
}
