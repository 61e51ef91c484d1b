//! Facets of each kind of collection, of flat fields, of types of other crates and of enums with data.

use rust_decimal::Decimal;
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", time_series(time = at, meta = host))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    at: DateTime,
    host: String,
    celsius: f64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "warm", view(of = Reading, filter(gt(celsius, 30))))]
struct Warm {
    #[serde(rename = "_id")]
    id: i64,
    host: String,
    celsius: f64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logs", capped(size = "1MiB"))]
struct Log {
    #[serde(rename = "_id")]
    id: i64,
    host: String,
    celsius: f64,
}

macro_rules! facets_of {
    ($model:ident, $card:ident, $facets:ident) => {
        #[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
        #[projection(of = $model)]
        struct $card {
            celsius: f64,
        }

        #[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
        #[facets(of = $model)]
        struct $facets {
            #[page(limit = 2, order = desc(celsius))]
            found: Vec<$card>,
            #[count_by(host, limit = 5)]
            hosts: Vec<FacetCount<String>>,
            #[ranges(celsius, [0, 20, 40])]
            ranges: Vec<FacetCount<f64>>,
            #[count]
            total: i64,
        }
    };
}

facets_of!(Reading, ReadingCard, OfReadings);
facets_of!(Warm, WarmCard, OfWarm);
facets_of!(Log, LogCard, OfLogs);

#[tokio::test]
async fn facets_of_a_time_series_a_view_and_a_capped_collection() {
    let db = database().await;
    schema![Reading, Warm, Log].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let host = |id: i64| ["a", "b"][id as usize % 2].to_owned();
    for id in 0..12 {
        let celsius = (id * 5) as f64;
        Reading::insert(&db, &Reading { id, at: DateTime::from_millis(id * 1_000), host: host(id), celsius })
            .await
            .unwrap();
        Log::insert(&db, &Log { id, host: host(id), celsius }).await.unwrap();
    }
    let counts = |found: &[FacetCount<f64>]| found.iter().map(|range| range.count).collect::<Vec<_>>();
    for apart in [false, true] {
        let readings = Reading::facets::<OfReadings>();
        let readings = if apart { readings.separately() } else { readings }.fetch(&db).await.unwrap();
        assert_eq!((readings.total, counts(&readings.ranges)), (12, vec![4, 4, 4]));
        assert_eq!(readings.found, [ReadingCard { celsius: 55.0 }, ReadingCard { celsius: 50.0 }]);
        let logs = Log::facets::<OfLogs>();
        let logs = if apart { logs.separately() } else { logs }.fetch(&db).await.unwrap();
        assert_eq!((logs.total, counts(&logs.ranges)), (12, vec![4, 4, 4]));
        let warm = Warm::facets::<OfWarm>();
        let warm = if apart { warm.separately() } else { warm }.fetch(&db).await.unwrap();
        assert_eq!((warm.total, counts(&warm.ranges)), (5, vec![0, 1, 4]));
        let hosts: Vec<_> = warm.hosts.iter().map(|host| (host.value.as_str(), host.count)).collect();
        assert_eq!(hosts, [("b", 3), ("a", 2)]);
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
    host: uuid::Uuid,
    #[relation(one_to_many, parent_ref)]
    guest: Ref<Guest>,
    fee: Option<Decimal>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    city: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "guests")]
struct Guest {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = Visit)]
struct Visits {
    #[count_by(place.city, limit = 5)]
    cities: Vec<FacetCount<String>>,
    #[count_by(host, limit = 5)]
    hosts: Vec<FacetCount<uuid::Uuid>>,
    #[count_by(guest, limit = 5)]
    guests: Vec<FacetCount<Ref<Guest>>>,
    #[ranges(fee, [0, 10])]
    fees: Vec<FacetCount<Decimal>>,
    #[sum(fee)]
    sum: Decimal,
}

#[tokio::test]
async fn facets_of_flat_fields_references_and_types_of_other_crates() {
    let db = database().await;
    let (host, guest) = (uuid::Uuid::from_u128(7), Guest { id: ObjectId::new() });
    Guest::insert(&db, &guest).await.unwrap();
    for (id, city, fee) in
        [(1, "Oslo", Some(Decimal::new(125, 1))), (2, "Bergen", None), (3, "Oslo", Some(Decimal::ONE))]
    {
        let place = Place { city: city.to_owned() };
        Visit::insert(&db, &Visit { id, place, host, guest: Ref::new(guest.id), fee }).await.unwrap();
    }
    let found = Visit::facets::<Visits>().fetch(&db).await.unwrap();
    let counted = |value: &str, count| FacetCount { value: value.to_owned(), count };
    assert_eq!(found.cities, [counted("Oslo", 2), counted("Bergen", 1)]);
    assert_eq!(found.hosts, [FacetCount { value: host, count: 3 }]);
    assert_eq!(found.guests, [FacetCount { value: Ref::new(guest.id), count: 3 }]);
    assert_eq!(
        found.fees,
        [FacetCount { value: Decimal::ZERO, count: 1 }, FacetCount { value: Decimal::TEN, count: 1 }]
    );
    assert_eq!(found.sum, Decimal::new(135, 1));
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

#[derive(Facets, Deserialize, Clone, Debug, PartialEq)]
#[facets(of = Shape)]
struct Shapes {
    #[count_by(color, limit = 5)]
    colors: Vec<FacetCount<String>>,
    #[count_by(side, limit = 5)]
    sides: Vec<FacetCount<Option<i32>>>,
    #[count]
    total: i64,
    #[max(radius)]
    radius: Option<i32>,
}

#[tokio::test]
async fn facets_of_documents_of_several_shapes() {
    let db = database().await;
    let red = || "red".to_owned();
    let shapes = [
        Shape::Circle { id: 1, color: red(), radius: 4 },
        Shape::Circle { id: 2, color: red(), radius: 5 },
        Shape::Square { id: 3, color: red(), side: 6 },
        Shape::Circle { id: 4, color: "blue".to_owned(), radius: 7 },
    ];
    Shape::insert_many(&db, &shapes).await.unwrap();
    let found = Shape::facets::<Shapes>().fetch(&db).await.unwrap();
    let expected = Shapes {
        colors: vec![FacetCount { value: red(), count: 3 }, FacetCount { value: "blue".to_owned(), count: 1 }],
        sides: vec![FacetCount { value: None, count: 3 }, FacetCount { value: Some(6), count: 1 }],
        total: 4,
        radius: Some(7),
    };
    assert_eq!(found, expected);
}
