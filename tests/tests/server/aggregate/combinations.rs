//! Aggregations of models with other features: flat fields, types of other crates, declared types, enums with data,
//! and collections that another program writes.

use chrono::{TimeZone, Utc};
use mongodb::bson::{Document, doc};
use rust_decimal::Decimal;
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits", read_only)]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
    at: chrono::DateTime<Utc>,
    host: uuid::Uuid,
    #[stored_as(String)]
    code: Code,
    fee: Option<Decimal>,
    version: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    city: String,
    visitors: u16,
}

/// A type that the derive does not know, which serde writes as a text.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Code(String);

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Visit, by(city = place.city, host, day = day(at)))]
struct Day {
    city: String,
    host: uuid::Uuid,
    day: chrono::DateTime<Utc>,
    #[sum(place.visitors)]
    visitors: i64,
    #[max(place.visitors)]
    most: u16,
    #[sum(fee)]
    fees: Decimal,
    #[max(at)]
    last: chrono::DateTime<Utc>,
    #[min(code)]
    least: String,
    #[max(version)]
    version: i64,
}

#[tokio::test]
async fn flat_fields_and_types_of_other_crates() {
    let db = database().await;
    let at = |hour| Utc.with_ymd_and_hms(2024, 2, 29, hour, 0, 0).unwrap();
    let host = uuid::Uuid::from_u128(7);
    let visit = |id: i64, hour, visitors: u16, fee: Option<Decimal>| Visit {
        id,
        place: Place { city: "Oslo".to_owned(), visitors },
        at: at(hour),
        host,
        code: Code(format!("c{id}")),
        fee,
        version: id,
    };
    let visits =
        [visit(1, 3, 5, Some(Decimal::new(125, 2))), visit(2, 21, 60_000, None), visit(3, 4, 7, Some(Decimal::ONE))];
    for visit in &visits {
        // Another program writes the collection.
        let millis = DateTime::from_millis(visit.at.timestamp_millis());
        let fee = visit.fee.map(|fee| fee.to_string().parse::<Decimal128>().unwrap());
        let document = doc! {
            "_id": visit.id, "city": &visit.place.city, "visitors": i32::from(visit.place.visitors), "at": millis,
            "host": mongodb::bson::Uuid::from_bytes(host.into_bytes()), "code": &visit.code.0, "fee": fee,
            "version": visit.version,
        };
        db.collection::<Document>("visits").insert_one(document).await.unwrap();
    }
    let days = Visit::aggregate::<Day>().having(Day::F.day.gte(at(0))).fetch_all(&db).await.unwrap();
    let day = Day {
        city: "Oslo".to_owned(),
        host,
        day: at(0),
        visitors: 60_012,
        most: 60_000,
        fees: Decimal::new(225, 2),
        last: at(21),
        least: "c1".to_owned(),
        version: 3,
    };
    assert_eq!(days, [day]);
    let find = || Visit::find(Filter::all());
    assert_eq!(find().sum(&db, Visit::F.place.visitors).await.unwrap(), 60_012);
    assert_eq!(find().max(&db, Visit::F.at).await.unwrap(), Some(at(21)));
    assert_eq!(find().min(&db, Visit::F.code).await.unwrap(), Some(Code("c1".to_owned())));
    assert_eq!(find().sum(&db, Visit::F.fee).await.unwrap(), Decimal::new(225, 2));
    assert_eq!(find().count_by(&db, Visit::F.host).await.unwrap(), [(host, 3)]);
    assert!(Visit::aggregate::<Day>().having(Day::F.day.gt(at(0))).fetch_all(&db).await.unwrap().is_empty());
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: i64,
        color: String,
        radius: i32,
    },
    Square {
        #[serde(rename = "_id")]
        id: i64,
        color: String,
        side: i32,
    },
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Shape, by(color))]
struct OfColor {
    color: String,
    #[count]
    shapes: i64,
    #[sum(radius)]
    radius: i64,
    #[max(side)]
    side: Option<i32>,
}

#[tokio::test]
async fn documents_of_several_shapes() {
    let db = database().await;
    let red = || "red".to_owned();
    let shapes = [
        Shape::Circle { id: 1, color: red(), radius: 4 },
        Shape::Circle { id: 2, color: red(), radius: 5 },
        Shape::Square { id: 3, color: red(), side: 6 },
        Shape::Circle { id: 4, color: "blue".to_owned(), radius: 7 },
    ];
    Shape::insert_many(&db, &shapes).await.unwrap();
    let rows = Shape::aggregate::<OfColor>().sort(OfColor::F.color.asc()).fetch_all(&db).await.unwrap();
    let row = |color: &str, shapes, radius, side| OfColor { color: color.to_owned(), shapes, radius, side };
    assert_eq!(rows, [row("blue", 1, 7, None), row("red", 3, 9, Some(6))]);
}
