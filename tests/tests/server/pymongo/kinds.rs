//! `pymongo` as a second client of each kind of collection and of each kind of index: Python reads the documents of
//! this crate, and this crate reads the documents of Python.

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events", capped(size = "1MiB", max = 4))]
#[index(text(body), language = "english")]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[index(hidden)]
    number: i64,
    body: String,
    #[index(geo_2d)]
    place: [f64; 2],
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sessions", clustered, compression = zstd)]
struct Session {
    #[serde(rename = "_id")]
    id: DateTime,
    #[index(unique, case_insensitive)]
    name: String,
    #[index(wildcard)]
    #[bound(max_items = 9)]
    tags: BTreeMap<String, String>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Sensor {
    name: String,
    place: [f64; 2],
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", time_series(time = at, meta = sensor, granularity = minutes))]
#[index(geo_2d(sensor.place))]
#[index(sensor.name, hidden)]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    #[relation(one_to_one, embed)]
    sensor: Sensor,
    celsius: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "warm", view(of = Reading, filter(gt(celsius, 30))))]
struct Warm {
    #[serde(rename = "_id")]
    id: i64,
    celsius: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders", pre_and_post_images)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    total: i64,
}

fn at(second: i64) -> DateTime {
    DateTime::from_millis((1_700_000_000 + second) * 1000)
}

fn event(number: i64) -> Event {
    Event { id: number, number, body: format!("word{number} running"), place: [number as f64, 0.0] }
}

#[tokio::test]
async fn pymongo_and_this_crate_share_each_kind() {
    let db = database().await;
    let schema = schema![Event, Session, Reading, Warm, Order];
    schema.create(&db).await.unwrap();
    let mut python = Program::start(include_str!("kinds.py"), &[server().await.uri(), db.name()]);
    let mut ask = |function: &str| {
        python.send(function);
        python.line()
    };

    Event::insert_many(&db, &[event(1), event(2), event(3)]).await.unwrap();
    assert_eq!(ask("capped"), "([1, 2, 3], [5, 4, 3, 2])");
    let events = Event::find(Filter::all()).sort(Event::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(events, [2, 3, 4, 5].map(event));

    let session = Session { id: at(0), name: "Rust".to_owned(), tags: BTreeMap::new() };
    Session::insert(&db, &session).await.unwrap();
    assert_eq!(ask("clustered"), "('Rust', True)");
    let found = Session::get_by_id(&db, &at(9)).await.unwrap();
    assert_eq!((found.name.as_str(), found.tags["color"].as_str()), ("pymongo", "red"));

    let sensor = |name: &str| Sensor { name: name.to_owned(), place: [9.0, 9.0] };
    let reading = |id: i64, celsius| Reading { id, at: at(id), sensor: sensor("r"), celsius };
    Reading::insert_many(&db, &[reading(1, 30), reading(2, 33)]).await.unwrap();
    assert_eq!(ask("series"), "([('r', 30), ('r', 33)], 1)");
    let readings = Reading::find(Reading::F.sensor.name.eq("p")).fetch_all(&db).await.unwrap();
    let place = [3.0, 3.0];
    assert_eq!(readings, [Reading { id: 9, at: at(9), sensor: Sensor { place, ..sensor("p") }, celsius: 31 }]);

    // `CommandNotSupportedOnView` is code 166.
    assert_eq!(ask("view"), "([31, 33], 166)");
    let warm = Warm::find(Filter::all()).sort(Warm::F.celsius.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(warm, [Warm { id: 9, celsius: 31 }, Warm { id: 2, celsius: 33 }]);

    assert_eq!(ask("collated"), "('pymongo', ['name'])");
    assert_eq!(ask("text"), "[(4, True)]");
    assert_eq!(ask("wildcard"), "(['pymongo'], True)");
    assert_eq!(ask("plane"), "[5, 4]");

    Order::insert(&db, &Order { id: 1, total: 5 }).await.unwrap();
    assert_eq!(ask("watch"), "'watching'");
    Order::update_by_id(1).inc(Order::F.total, 2).execute(&db).await.unwrap();
    assert_eq!(ask("images"), "(5, 7)");
    assert_eq!(Order::get_by_id(&db, &1).await.unwrap().total, 8);
    let plan = schema.plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}
