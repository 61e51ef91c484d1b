//! An enum with its data in a field beside the tag.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events")]
#[index(what.data.at)]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    what: What,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", content = "data")]
enum What {
    Login { at: DateTime, ip: String },
    Upload(Upload),
    Nothing,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Upload {
    at: DateTime,
    #[bound(max_len = 5)]
    name: String,
}

/// Every variant has the field: a single token reaches the field.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "alarms")]
struct Alarm {
    #[serde(rename = "_id")]
    id: i64,
    source: Source,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c", rename_all = "lowercase")]
enum Source {
    Gate { level: i32, locked: bool },
    Smoke { level: i32 },
}

async fn start() -> Database {
    let db = database().await;
    schema![Event, Alarm].plan(&db).await.unwrap().apply(&db).await.unwrap();
    db
}

fn upload(id: i64, name: &str) -> Event {
    Event { id, what: What::Upload(Upload { at: DateTime::from_millis(id), name: name.to_owned() }) }
}

fn login(id: i64) -> Event {
    Event { id, what: What::Login { at: DateTime::from_millis(id), ip: "::1".to_owned() } }
}

#[tokio::test]
async fn it_is_stored_as_serde_writes_it() {
    let db = start().await;
    let events = [login(1), upload(2, "a"), Event { id: 3, what: What::Nothing }];
    Event::insert_many(&db, events.clone()).await.unwrap();
    let raw = db.collection::<Document>("events");
    let nothing = raw.find_one(doc! { "_id": 3_i64 }).await.unwrap().unwrap();
    assert_eq!(nothing, doc! { "_id": 3_i64, "what": { "type": "Nothing" } });
    let upload = raw.find_one(doc! { "_id": 2_i64 }).await.unwrap().unwrap();
    let data = doc! { "at": DateTime::from_millis(2), "name": "a" };
    assert_eq!(upload.get_document("what").unwrap(), &doc! { "type": "Upload", "data": data });
    assert_eq!(Event::find(Filter::all()).sort(Event::F.id.asc()).fetch_all(&db).await.unwrap(), events);
}

#[tokio::test]
async fn conditions_and_changes() {
    let db = start().await;
    Event::insert_many(&db, [login(1), upload(2, "a"), upload(3, "b"), Event { id: 4, what: What::Nothing }])
        .await
        .unwrap();
    let what = Event::F.what;
    let ids = async |filter| {
        let found: Vec<Event> = Event::find(filter).sort(Event::F.id.asc()).fetch_all(&db).await.unwrap();
        found.into_iter().map(|event| event.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(what.is_nothing()).await, [4]);
    assert_eq!(ids(what.upload().name.ne("a")).await, [3]);
    assert_eq!(ids(what.login().at.lte(DateTime::from_millis(9))).await, [1]);
    assert_eq!(
        what.upload().name.eq("a").into_document().unwrap(),
        doc! { "what.type": "Upload", "what.data.name": "a" }
    );
    let renamed = Event::update_many(Filter::all()).set(what.upload().name, "c").execute(&db).await.unwrap();
    assert_eq!(renamed.modified, 2);
    assert_eq!(Event::get_by_id(&db, 1).await.unwrap(), login(1));
}

#[tokio::test]
async fn what_all_share_is_reached_through_the_content() {
    let db = start().await;
    let gate = Alarm { id: 1, source: Source::Gate { level: 3, locked: false } };
    Alarm::insert_many(&db, [gate, Alarm { id: 2, source: Source::Smoke { level: 5 } }]).await.unwrap();
    Alarm::update_many(Alarm::F.source.level.gt(2)).inc(Alarm::F.source.level, 1).execute(&db).await.unwrap();
    let smoke = Alarm::get_by_id(&db, 2).await.unwrap();
    assert_eq!(smoke.source, Source::Smoke { level: 6 });
    let unlocked = Alarm::find(Alarm::F.source.gate().locked.eq(false)).fetch_all(&db).await.unwrap();
    assert_eq!(unlocked[0].source, Source::Gate { level: 4, locked: false });
    assert_eq!(Alarm::F.source.level.path(), "source.c.level");
}

#[tokio::test]
async fn the_validator_refuses_what_the_client_refuses() {
    let db = start().await;
    let long = Event::insert(&db, &upload(1, "sixsix")).await.unwrap_err();
    let Error::BoundExceeded { field, bound: 5, size: 6, .. } = long else { panic!("{long}") };
    assert_eq!(field, "what.data.name");
    let raw = db.collection::<Document>("events");
    let at = DateTime::from_millis(1);
    for what in [
        doc! { "type": "Upload", "data": { "at": at, "name": "sixsix" } },
        doc! { "type": "Upload", "data": { "at": at, "ip": "::1" } },
        doc! { "type": "Upload" },
        doc! { "type": "Login", "data": { "at": at, "name": "six" } },
        doc! { "type": "Unknown" },
        doc! { "data": { "at": at, "name": "six" } },
    ] {
        let refused = raw.insert_one(doc! { "_id": 9_i64, "what": what.clone() }).await.unwrap_err();
        assert!(refused.to_string().contains("failed validation"), "{what}: {refused}");
    }
    raw.insert_one(doc! { "_id": 9_i64, "what": { "type": "Nothing" } }).await.unwrap();
}
