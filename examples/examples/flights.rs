//! Airports and squillions of departures: the plan and the application of the plan, 23,376 documents, and five ways to
//! read the documents, each an index scan.
//!
//! `cargo run --example flights` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_flights`, and first empties the two collections of the example.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use schema_examples::{
    access,
    data::{self, AirportRow, FlightRow},
    is_index_scan, table,
};
use schema_runtime::{Throttle, assert_queries_indexed, bson::Document, local, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "airports")]
#[inverse(departures = Flight::origin, per_day = 20_000)]
#[query(by_name, order = asc(name), page = 4, per_day = 500)]
struct Airport {
    #[serde(rename = "_id")]
    iata: String,
    /// Copied into each flight, so a board of departures needs no join.
    #[bound(max_len = 60)]
    #[copied_to(Flight::to)]
    #[changes(seldom)]
    name: String,
    #[bound(max_len = 40)]
    city: String,
    #[bound(max_len = 2)]
    state: String,
    country: String,
    /// Longitude and latitude.
    #[index(geo)]
    location: [f64; 2],
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "flights")]
struct Flight {
    #[serde(rename = "_id")]
    id: i32,
    date: DateTime,
    /// In minutes.
    delay: i32,
    /// In miles.
    distance: i32,
    #[relation(one_to_squillions, parent_ref, order = desc(date))]
    origin: Ref<Airport>,
    #[relation(one_to_squillions, parent_ref, order = desc(date))]
    destination: Ref<Airport>,
    /// The name of the destination.
    #[bound(max_len = 60)]
    #[denormalize(from = destination.name)]
    to: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Airport)]
struct AirportName {
    #[serde(rename = "_id")]
    iata: String,
    name: String,
    city: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_flights").await?;
    for collection in ["airports", "flights"] {
        db.collection::<Document>(collection).drop().await?;
    }

    let schema = schema![Airport, Flight];
    let plan = schema.plan(&db).await?;
    println!("The plan for an empty database:\n\n{plan}");
    println!("Applied:\n\n{}", plan.apply(&db).await?);
    println!("Planned once more: {}", schema.plan(&db).await?);

    load(&db).await?;

    println!("\nThe latest departures of Phoenix:");
    let phoenix = Airport::get_by_id(&db, "PHX").await?;
    let latest = phoenix.departures().latest(5).fetch_all(&db).await?;
    println!("{}", flights(latest.iter()));
    shown(&phoenix.departures().latest(5).explain(&db).await?)?;

    println!("\nWhere they went, in one read with a projection:");
    let destinations: Vec<&Flight> = latest.iter().collect();
    let airports = Flight::DESTINATION.select::<AirportName>().load(&db, destinations.iter().copied()).await?;
    let rows = destinations.iter().flat_map(|flight| {
        airports.of(flight).iter().map(|to| [to.iata.clone(), to.name.clone(), to.city.clone()]).collect::<Vec<_>>()
    });
    println!("{}", table(["to", "airport", "city"], rows));
    shown(&destinations[0].destination().explain(&db).await?)?;

    println!("\nTwo pages of the departures, each by a range on the index, none by skipping:");
    let first = phoenix.departures().paginate(3).fetch(&db).await?;
    let token = first.next.as_ref();
    println!("{}", flights(first.iter()));
    println!("the page token: {}", token.map(ToString::to_string).unwrap_or_default());
    let second = phoenix.departures().paginate(3).after(token).fetch(&db).await?;
    println!("{}", flights(second.iter()));
    shown(&phoenix.departures().paginate(3).after(token).explain(&db).await?)?;

    println!("\nThe page before the second is the first again, and the last is as near as the first:");
    let before = phoenix.departures().paginate(3).before(&second.previous).fetch(&db).await?;
    println!("{}", flights(before.iter()));
    let last = phoenix.departures().paginate(3).last().fetch(&db).await?;
    println!("{}", flights(last.iter()));
    shown(&phoenix.departures().paginate(3).last().explain(&db).await?)?;

    println!("\nThe airports by name, four to a page:");
    let airports = Airport::by_name().fetch(&db).await?;
    let rows = airports.iter().map(|airport| [airport.iata.clone(), airport.name.clone(), airport.city.clone()]);
    println!("{}", table(["code", "airport", "city"], rows));

    println!("\nThe two latest departures of each of five airports, in one batch:");
    let many = Airport::find(Airport::F.iata.is_in(["BWI", "LAS", "LAX", "OAK", "SEA"])).fetch_all(&db).await?;
    let each = Airport::DEPARTURES.latest(2).load(&db, &many).await?;
    let rows = many.iter().flat_map(|airport| {
        let departures = each.of(airport);
        departures
            .iter()
            .map(|flight| [airport.iata.clone(), flight.date.to_string(), flight.destination.id().clone()])
            .collect::<Vec<_>>()
    });
    println!("{}", table(["from", "departure", "to"], rows));
    shown(&Airport::DEPARTURES.latest(2).explain(&db, &many).await?)?;

    let (count, to) =
        (phoenix.departures().count(&db).await?, phoenix.departures().distinct(&db, Flight::F.destination).await?);
    println!("\n{} has {count} departures, to {} airports.", phoenix.name, to.len());

    println!("\nAn airport gets another name, and with it each of its squillions of flights:");
    let renamed = Throttle::new().chunk(500).progress(|progress| {
        println!("  {} of {} flights", progress.done, progress.total.unwrap_or_default());
    });
    Airport::update_by_id("LAX").set(Airport::F.name, "Los Angeles").throttle(renamed).execute(&db).await?;
    let left = Flight::F.destination.eq(Ref::new("LAX")) & Flight::F.to.ne("Los Angeles");
    println!("flights to it with the old name: {}", Flight::find(left).count(&db).await?);
    assert_queries_indexed(&schema, &db).await;
    println!("\nWhat verify finds:\n{}", schema.verify(&db).await?);
    Ok(())
}

/// Reads both files and inserts the rows, a thousand documents at a time.
async fn load(db: &Database) -> Result<(), Box<dyn std::error::Error>> {
    let airports: Vec<Airport> = data::airports()?.into_iter().map(airport).collect();
    let flights: Vec<Flight> = (1..).zip(data::flights()?).map(|(id, row)| flight(id, row)).collect();
    let total = airports.len() + flights.len();
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}")?;
    let bar = ProgressBar::new(total as u64).with_style(style).with_message("inserting");
    let start = Instant::now();
    for chunk in airports.chunks(1_000) {
        Airport::insert_many(db, chunk).await?;
        bar.inc(chunk.len() as u64);
    }
    for chunk in flights.chunks(1_000) {
        Flight::insert_many(db, chunk).await?;
        bar.inc(chunk.len() as u64);
    }
    bar.finish_and_clear();
    println!("\n{total} documents inserted in {:.1} s.", start.elapsed().as_secs_f64());
    Ok(())
}

fn airport(row: AirportRow) -> Airport {
    let AirportRow { iata, name, city, state, country, location } = row;
    Airport { iata, name, city, state, country, location }
}

fn flight(id: i32, row: FlightRow) -> Flight {
    let FlightRow { date, delay, distance, origin, destination } = row;
    // The insert writes the name of the destination.
    let to = String::new();
    Flight { id, date, delay, distance, origin: Ref::new(origin), destination: Ref::new(destination), to }
}

fn flights<'a>(flights: impl Iterator<Item = &'a Flight>) -> String {
    let rows = flights.map(|flight| {
        [flight.date.to_string(), flight.to.clone(), format!("{} min", flight.delay), format!("{} mi", flight.distance)]
    });
    table(["departure", "to", "delay", "distance"], rows).to_string()
}

/// Prints how the server found the documents; a read without an index is an error.
fn shown(explained: &Document) -> Result<(), Box<dyn std::error::Error>> {
    println!("how: {}", access(explained));
    if is_index_scan(explained) { Ok(()) } else { Err("this read was not an index scan".into()) }
}
