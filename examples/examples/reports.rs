//! Reports of 20,000 flights: numbers of all flights, tables of the months and of the busiest airports, a chart of the
//! delays, and the days of one airport. Each report is a struct and one command.
//!
//! `cargo run --example reports` starts a MongoDB server; with `MONGODB_URI` the example runs on another server, in the
//! database `schema_example_reports`, and first empties the two collections of the example.

use schema_examples::{
    data::{self, AirportRow, FlightRow},
    table,
};
use schema_runtime::{assert_queries_indexed, bson::Document, local, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "airports")]
struct Airport {
    #[serde(rename = "_id")]
    iata: String,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "flights")]
#[query(days_of(origin, between(date)), aggregate = Day, per_day = 500)]
struct Flight {
    #[serde(rename = "_id")]
    id: i32,
    date: DateTime,
    /// In minutes.
    delay: i32,
    /// In miles.
    distance: i32,
    #[relation(one_to_squillions, parent_ref)]
    origin: Ref<Airport>,
    destination: String,
}

/// All flights.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Flight)]
struct Total {
    #[count]
    flights: i64,
    #[sum(distance)]
    miles: i64,
    #[avg(delay)]
    delay: Option<f64>,
    #[std_dev(delay)]
    deviation: Option<f64>,
    #[count_distinct(destination, max = 1_000)]
    destinations: i64,
}

/// The flights of a month.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Flight, by(month = month(date)))]
struct Month {
    month: DateTime,
    #[count]
    flights: i64,
    #[count(where(gte(delay, 15)))]
    late: i64,
    #[avg(delay)]
    delay: f64,
}

/// The departures of an airport.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Flight, by(origin))]
struct Departures {
    origin: Ref<Airport>,
    #[lookup(origin.name)]
    name: Option<String>,
    #[count]
    flights: i64,
    #[avg(distance)]
    distance: f64,
    #[top(2, order = desc(delay))]
    latest: Vec<Delay>,
}

#[derive(Projection, Deserialize)]
#[projection(of = Flight)]
struct Delay {
    destination: String,
    delay: i32,
}

/// The flights with a delay of at least so many minutes.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Flight, by(delay = ranges(delay, [-60, -10, 0, 15, 30, 60, 120, 240])))]
struct Range {
    delay: Option<i32>,
    #[count]
    flights: i64,
}

/// The departures of a day.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Flight, by(day = day(date)))]
struct Day {
    day: DateTime,
    #[count]
    flights: i64,
    #[max(delay)]
    most: i32,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_example_reports").await?;
    load(&db).await?;

    let total = Flight::aggregate::<Total>().fetch_one(&db).await?;
    let Total { flights, miles, destinations, .. } = total;
    println!("{flights} flights to {destinations} airports, {miles} miles.");
    if let (Some(delay), Some(deviation)) = (total.delay, total.deviation) {
        println!("Delay: {delay:.1} minutes, with a standard deviation of {deviation:.1}.");
    }

    println!("\nThe months:");
    let months = Flight::aggregate::<Month>().sort(Month::F.month.asc()).fetch_all(&db).await?;
    let rows = months.iter().map(|month| {
        let late = 100.0 * month.late as f64 / month.flights as f64;
        [text_of(month.month, 7), month.flights.to_string(), format!("{late:.0} %"), format!("{:.1} min", month.delay)]
    });
    println!("{}", table(["month", "flights", "late", "mean delay"], rows));

    println!("\nThe busiest airports, and the two flights with the greatest delay of each:");
    let busiest = Flight::aggregate::<Departures>().sort(Departures::F.flights.desc()).limit(5);
    let rows = busiest.fetch_all(&db).await?.into_iter().map(|airport| {
        let latest: Vec<String> =
            airport.latest.iter().map(|flight| format!("{} {} min", flight.destination, flight.delay)).collect();
        [
            airport.name.unwrap_or_else(|| airport.origin.id().clone()),
            airport.flights.to_string(),
            format!("{:.0} mi", airport.distance),
            latest.join(", "),
        ]
    });
    println!("{}", table(["airport", "flights", "mean distance", "latest"], rows));

    println!("\nThe delays in minutes, from a number to the next:");
    let ranges = Flight::aggregate::<Range>().sort(Range::F.delay.asc()).fetch_all(&db).await?;
    let most = ranges.iter().map(|range| range.flights).max().unwrap_or(1);
    for range in &ranges {
        let from = range.delay.map_or_else(|| "less".to_owned(), |from| from.to_string());
        println!("{from:>5} {} {}", bar(range.flights, most), range.flights);
    }

    let from = DateTime::parse_rfc3339_str("2001-03-01T00:00:00Z")?;
    let to = DateTime::parse_rfc3339_str("2001-03-08T00:00:00Z")?;
    println!("\nThe departures of Phoenix in a week of March, by a declared query and the index of the query:");
    let days = Flight::days_of("PHX", from..to).sort(Day::F.day.asc()).fetch_all(&db).await?;
    let most = days.iter().map(|day| day.flights).max().unwrap_or(1);
    for day in &days {
        let Day { flights, most: delay, .. } = day;
        println!("{} {} {flights}, at most {delay} min late", text_of(day.day, 10), bar(*flights, most));
    }

    assert_eq!(months.iter().map(|month| month.flights).sum::<i64>(), flights);
    assert_eq!(ranges.iter().map(|range| range.flights).sum::<i64>(), flights);
    assert_eq!(days.len(), 7);
    assert_queries_indexed(&schema![Airport, Flight], &db).await;
    Ok(())
}

async fn load(db: &Database) -> Result<(), Box<dyn std::error::Error>> {
    for collection in ["airports", "flights"] {
        db.collection::<Document>(collection).drop().await?;
    }
    schema![Airport, Flight].plan(db).await?.apply(db).await?.complete()?;
    let airports = data::airports()?.into_iter().map(|AirportRow { iata, name, .. }| Airport { iata, name });
    Airport::insert_many(db, airports.collect::<Vec<_>>()).await?;
    let flights = (1..).zip(data::flights()?).map(|(id, row)| {
        let FlightRow { date, delay, distance, origin, destination } = row;
        Flight { id, date, delay, distance, origin: Ref::new(origin), destination }
    });
    Flight::insert_many(db, flights.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Returns the first letters of a date as a text: 7 for the month, 10 for the day.
fn text_of(date: DateTime, letters: usize) -> String {
    date.try_to_rfc3339_string().unwrap_or_default().chars().take(letters).collect()
}

/// Returns a bar of up to 40 letters.
fn bar(number: i64, most: i64) -> String {
    "█".repeat((40 * number / most).try_into().unwrap_or(0))
}
