//! Each kind of collection beside the other features of a model.

use schema_runtime::{Error, Schema, Throttle, prelude::*};
use schema_tests::{database, database_with_log};

use super::*;

/// A source of copies, a parent with a rollup and a slug, in a clustered collection.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts", clustered, pre_and_post_images, compression = zlib)]
#[inverse(events = Event::host, on_delete = cascade)]
#[inverse(logs = Log::host)]
#[inverse(readings = Reading::host)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Event::host_name, fan_out = 100)]
    #[bound(max_len = 50)]
    name: String,
    #[slug(from = name, max_len = 60)]
    slug: String,
    #[computed(count(Event::host))]
    events: i64,
    #[version]
    version: i64,
    #[updated_at]
    changed: DateTime,
}

/// A holder and a child, in a clustered collection.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events", clustered)]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref, inverse = events)]
    host: Ref<Host>,
    #[denormalize(from = host.name)]
    #[bound(max_len = 50)]
    host_name: String,
    #[immutable]
    kind: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logs", capped(size = "1MiB"), new(Clone))]
struct Log {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, inverse = logs)]
    host: Ref<Host>,
    #[index(unique)]
    number: i64,
    #[hidden]
    #[bound(max_len = 50)]
    secret: Hidden<String>,
    #[immutable]
    kind: i32,
    #[check(max = 100)]
    level: i32,
    #[version]
    version: i64,
    #[created_at]
    made: DateTime,
    #[denormalize(from = host.name, snapshot)]
    #[bound(max_len = 50)]
    host_name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", time_series(time = at, meta = host), new(Clone))]
struct Reading {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[created_at]
    at: DateTime,
    #[relation(one_to_squillions, parent_ref, inverse = readings, order = desc(at))]
    host: Ref<Host>,
    #[hidden]
    #[bound(max_len = 50)]
    secret: Hidden<String>,
    #[default(20)]
    celsius: i32,
    #[denormalize(from = host.name, snapshot)]
    #[bound(max_len = 50)]
    host_name: String,
}

/// A view with a hidden field, a reference and a date of the source.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "warm", view(of = Reading, filter(gt(celsius, 30))))]
struct Warm {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    host: Ref<Host>,
    #[hidden]
    #[bound(max_len = 50)]
    secret: Hidden<String>,
    celsius: i32,
}

const SCHEMA: Schema = schema![Host, Event, Log, Reading, Warm];

fn host(id: i64) -> Host {
    let changed = DateTime::from_millis(0);
    Host { id, name: format!("host {id}"), slug: String::new(), events: 0, version: 0, changed }
}

async fn made() -> Database {
    let db = database().await;
    SCHEMA.create(&db).await.expect("made");
    is_settled(SCHEMA, &db).await;
    Host::create(&db, &mut host(1)).await.expect("inserted");
    db
}

#[tokio::test]
async fn clustered_collections_take_copies_rollups_slugs_versions_and_delete_rules() {
    let db = made().await;
    for id in 1..=3 {
        let mut event = Event { id, host: Ref::to(&host(1)), host_name: String::new(), kind: 5 };
        Event::create(&db, &mut event).await.expect("inserted");
        assert_eq!(event.host_name, "host 1");
    }
    let mut stored = Host::get_by_id(&db, &1).await.expect("read");
    assert_eq!((stored.events, stored.slug.as_str()), (3, "host-1"));
    stored.name = "renamed".to_owned();
    Host::save(&db, &mut stored).await.expect("saved");
    let events = Event::find(Filter::all()).fetch_all(&db).await.expect("read");
    assert!(events.iter().all(|event| event.host_name == "renamed" && event.kind == 5));
    assert!(SCHEMA.verify(&db).await.expect("read").is_clean());
    assert!(Host::delete_by_id(&db, &1).await.expect("deleted"));
    assert_eq!(Event::find(Filter::all()).count(&db).await.expect("counted"), 0);
}

#[tokio::test]
async fn capped_collections_take_versions_hidden_fields_rules_and_snapshots() {
    let db = made().await;
    let new = NewLog { host: Ref::to(&host(1)), number: 1, secret: "s".to_owned().into(), kind: 1, level: 5 };
    let mut log = new.clone().insert(&db).await.expect("inserted");
    assert_eq!((log.version, log.host_name.as_str()), (0, "host 1"));
    let again = new.insert(&db).await.expect_err("the number exists");
    assert!(matches!(again, Error::DuplicateKey { .. }), "{again}");

    log.level = 101;
    assert!(matches!(Log::save(&db, &mut log).await, Err(Error::DocumentInvalid { .. })));
    log.level = 9;
    Log::save(&db, &mut log).await.expect("saved");
    let read = Log::get_by_id(&db, &log.id).await.expect("read");
    assert_eq!((read.version, read.level, read.secret.is_loaded()), (1, 9, false));
    Log::update_by_id(log.id).inc(Log::F.level, 1).execute(&db).await.expect("updated");
    let host = Host::get_by_id(&db, &1).await.expect("read");
    assert_eq!(host.logs().fetch_all(&db).await.expect("the children").len(), 1);
    assert!(SCHEMA.verify(&db).await.expect("read").is_clean());
}

#[tokio::test]
async fn time_series_take_new_values_references_hidden_fields_and_snapshots() {
    let db = made().await;
    for celsius in [20, 31, 32] {
        let new = NewReading { host: Ref::to(&host(1)), secret: "s".to_owned().into(), celsius: Some(celsius) };
        let reading = new.insert(&db).await.expect("inserted");
        assert_eq!(reading.host_name, "host 1");
    }
    let host = Host::get_by_id(&db, &1).await.expect("read");
    let readings = host.readings().latest(2).fetch_all(&db).await.expect("the children");
    assert_eq!(readings.len(), 2);
    assert!(readings.iter().all(|reading| !reading.secret.is_loaded()));
    let newest = readings.iter().next().expect("a reading");
    assert_eq!(newest.host().fetch_one(&db).await.expect("the parent").id, 1);
    assert!(SCHEMA.verify(&db).await.expect("read").is_clean());

    let warm = Warm::find(Filter::all()).sort(Warm::F.celsius.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(warm.iter().map(|one| one.celsius).collect::<Vec<_>>(), [31, 32]);
    assert!(!warm[0].secret.is_loaded());
    let revealed = Warm::find(Filter::all()).reveal(Warm::F.secret).fetch_all(&db).await.expect("read");
    assert_eq!(revealed[0].secret.get().map(String::as_str), Some("s"));
    assert_eq!(*warm[0].host.id(), 1);
}

/// `recover`, `repair` and `backfill` write no document of a time series or a view.
#[tokio::test]
async fn maintenance_reads_each_kind() {
    let (db, log) = database_with_log().await;
    SCHEMA.create(&db).await.expect("made");
    let new = NewReading { host: Ref::to(&host(1)), secret: "s".to_owned().into(), celsius: None };
    Host::create(&db, &mut host(1)).await.expect("inserted");
    new.insert(&db).await.expect("inserted");
    log.clear();
    let throttle = Throttle::new();
    SCHEMA.recover(&db, &throttle).await.expect("recovered");
    SCHEMA.repair(&db, &throttle).await.expect("repaired");
    SCHEMA.backfill(&db, &throttle).await.expect("filled");
    SCHEMA.review_on(&db).await.expect("reviewed");
    let writes = log.named("update").into_iter().chain(log.named("insert")).chain(log.named("delete"));
    let of_kinds = |command: &Document| {
        command.iter().take(1).any(|(_, name)| ["readings", "warm"].contains(&name.as_str().unwrap_or_default()))
    };
    assert_eq!(writes.filter(of_kinds).count(), 0);
    assert_eq!(options(&db, "warm").await.get_str("viewOn").ok(), Some("readings"));
}
