//! Measurements in a time series, the newest events in a capped collection, a view of the warm places, and a view
//! of the averages.
//!
//! `cargo run --example sensors` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_sensors`, and first drops the collections of the example.

use schema_runtime::{Schema, bson::Document, local, prelude::*};

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Sensor {
    #[bound(max_len = 40)]
    place: String,
    number: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readings", time_series(time = at, meta = sensor, granularity = minutes, ttl = "90d"), new)]
#[index(sensor.place, desc(at))]
#[query(of_place(sensor.place as String), order = desc(at), limit = 3)]
struct Reading {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    at: DateTime,
    sensor: Sensor,
    #[check(min = -50.0, max = 90.0)]
    celsius: f64,
}

/// The newest events: the server deletes the oldest.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB", max = 5), new)]
struct Event {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 100)]
    text: String,
}

/// The readings of places that are too warm.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "warm", view(of = Reading, filter(gt(celsius, 25.0))))]
struct Warm {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
    sensor: Sensor,
    celsius: f64,
}

/// The readings of a place.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Reading, by(place = sensor.place))]
#[expect(dead_code, reason = "only the server computes the fields")]
struct OfPlace {
    place: String,
    #[count]
    readings: i64,
    #[avg(celsius)]
    mean: f64,
}

/// The same groups as a view, which each client of the database reads. The key of the group is the `_id`.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "places", view(of = Reading, aggregate = OfPlace))]
struct Place {
    #[serde(rename = "_id")]
    place: String,
    readings: i64,
    mean: f64,
}

const SCHEMA: Schema = schema![Reading, Event, Warm, Place];

#[tokio::main]
async fn main() -> Result<()> {
    let db = local::connect("schema_example_sensors").await?;
    for collection in ["places", "warm", "readings", "events"] {
        db.collection::<Document>(collection).drop().await?;
    }
    let plan = SCHEMA.plan(&db).await?;
    println!("{plan}");
    plan.apply(&db).await?.complete()?;
    println!("again: {}", SCHEMA.plan(&db).await?);

    let now = DateTime::now().timestamp_millis();
    let readings = (0..60).map(|minute| NewReading {
        at: DateTime::from_millis(now - (60 - minute) * 60_000),
        sensor: Sensor { place: if minute % 2 == 0 { "hall" } else { "kitchen" }.to_owned(), number: 1 },
        celsius: 18.0 + minute as f64 / 5.0,
    });
    let stored = NewReading::insert_many(&db, readings.collect::<Vec<_>>()).await?;
    println!("{} readings", stored.len());
    for reading in Reading::of_place("kitchen".to_owned()).fetch_all(&db).await? {
        println!("{}: {} has {:.1} degrees", reading.at, reading.sensor.place, reading.celsius);
    }
    for place in Place::find(Filter::all()).sort(Place::F.mean.desc()).fetch_all(&db).await? {
        println!("{}: {} readings, {:.1} degrees on average", place.place, place.readings, place.mean);
    }

    for warm in Warm::find(Filter::all()).sort(Warm::F.celsius.desc()).fetch_all(&db).await? {
        let text = format!("{} has {:.1} degrees", warm.sensor.place, warm.celsius);
        NewEvent { text }.insert(&db).await?;
    }
    let events = Event::find(Filter::all()).fetch_all(&db).await?;
    println!("{} warm readings, {} events are kept", Warm::find(Filter::all()).count(&db).await?, events.len());
    println!("the newest event: {}", events.last().map_or("none", |event| &event.text));
    Ok(())
}
