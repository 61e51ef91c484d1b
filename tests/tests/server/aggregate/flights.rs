//! Real data: the flights of the examples, grouped by this crate, by `pymongo` and by plain Python.

use mongodb::bson::Document;
use schema_runtime::prelude::*;
use schema_tests::{database, server};

use crate::python::Program;

const FLIGHTS: &str = include_str!("../../../../examples/data/flights.csv");
const PROGRAM: &str = include_str!("flights.py");

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "flights")]
struct Flight {
    #[serde(rename = "_id")]
    id: i64,
    date: DateTime,
    delay: i32,
    distance: i32,
    origin: String,
    destination: String,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Flight, by(origin, month = month(date)))]
struct Month {
    origin: String,
    month: DateTime,
    #[count]
    flights: i64,
    #[sum(delay)]
    delay: i64,
    #[max(delay)]
    most: i32,
    #[count(where(gte(delay, 15)))]
    late: i64,
    #[avg(distance)]
    distance: f64,
}

fn flight(id: usize, line: &str) -> Flight {
    let parts: Vec<&str> = line.trim().split(',').collect();
    let date: jiff::civil::DateTime = parts[0].parse().unwrap();
    let millis = date.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp().as_millisecond();
    Flight {
        id: id as i64,
        date: DateTime::from_millis(millis),
        delay: parts[1].parse().unwrap(),
        distance: parts[2].parse().unwrap(),
        origin: parts[3].to_owned(),
        destination: parts[4].to_owned(),
    }
}

#[tokio::test]
async fn python_finds_the_same_numbers() {
    let db = database().await;
    let flights: Vec<Flight> = FLIGHTS.lines().skip(1).enumerate().map(|(id, line)| flight(id, line)).collect();
    Flight::insert_many(&db, &flights).await.unwrap();
    let f = Month::F;
    let months = Flight::aggregate::<Month>().sort([f.origin.asc(), f.month.asc()]).fetch_all(&db).await.unwrap();
    let mut python = Program::start(PROGRAM, &[server().await.uri(), db.name()]);
    assert_eq!(python.line(), months.len().to_string());
    assert!(months.len() > 100);
    for month in &months {
        let line = python.line();
        let (rest, distance) = line.rsplit_once(' ').unwrap();
        let begin = month.month.try_to_rfc3339_string().unwrap();
        let Month { origin, flights, delay, most, late, .. } = month;
        assert_eq!(rest, format!("{origin} {} {flights} {delay} {most} {late}", &begin[..7]));
        assert!((distance.parse::<f64>().unwrap() - month.distance).abs() < 1e-9, "{line}");
    }
    let find = || Flight::find(Filter::all());
    assert_eq!(find().count(&db).await.unwrap(), flights.len() as u64);
    let delay: i64 = flights.iter().map(|flight| i64::from(flight.delay)).sum();
    assert_eq!(find().sum(&db, Flight::F.delay).await.unwrap(), delay);
    let busiest = find().count_by(&db, Flight::F.origin).await.unwrap();
    let of_first = flights.iter().filter(|flight| flight.origin == busiest[0].0).count();
    assert_eq!(busiest[0].1, of_first as u64);
    assert_eq!(db.collection::<Document>("flights").estimated_document_count().await.unwrap(), flights.len() as u64);
}
