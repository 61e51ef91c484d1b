//! Geo queries.

use schema_runtime::{Area, Point, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "places")]
struct Place {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    #[index(geo)]
    at: Point, // longitude, then latitude
}
// ANCHOR_END: model

// ANCHOR: reads
/// Places within a distance, the nearest first.
fn near(point: Point, metres: f64) -> Filter<Place> {
    Place::F.at.near(point, metres)
}

fn in_circle(center: Point, metres: f64) -> Filter<Place> {
    Place::F.at.within(Area::circle(center, metres))
}

fn in_ring(ring: [Point; 4]) -> Filter<Place> {
    Place::F.at.within(Area::polygon(ring))
}
// ANCHOR_END: reads

// ANCHOR: distance
#[derive(Deserialize)]
struct Near {
    name: String,
    metres: f64,
}

/// Places with their distance. The stage `$geoNear` sorts by the distance.
async fn with_distance(db: &Database, [longitude, latitude]: [f64; 2]) -> Result<Vec<Near>> {
    let near = doc! { "type": "Point", "coordinates": [longitude, latitude] };
    let stage = doc! { "$geoNear": { "near": near, "key": "at", "distanceField": "metres", "maxDistance": 5_000.0 } };
    Place::aggregate_raw::<Near>(vec![stage, doc! { "$limit": 20 }]).fetch_all(db).await
}
// ANCHOR_END: distance

const OSLO: [f64; 2] = [10.75, 59.91];

#[tokio::test]
async fn places_near_oslo() -> Result<()> {
    let db = database(&schema![Place]).await;
    let places = [(1, "harbor", 10.73, 59.90), (2, "station", 10.75, 59.91), (3, "Bergen", 5.32, 60.39)];
    let places = places.map(|(id, name, longitude, latitude)| Place {
        id,
        name: name.to_owned(),
        at: Point::new(longitude, latitude),
    });
    Place::insert_many(&db, &places).await?;
    let oslo = || Point::new(OSLO[0], OSLO[1]);
    let ids = async |filter: Filter<Place>| -> Result<Vec<i32>> {
        Ok(Place::find(filter).fetch_all(&db).await?.iter().map(|place| place.id).collect())
    };

    assert_eq!(ids(near(oslo(), 5_000.0)).await?, [2, 1], "the nearest first");
    let by_name = Place::find(near(oslo(), 5_000.0)).sort(Place::F.name.asc()).fetch_all(&db).await?;
    assert_eq!(by_name.iter().map(|place| place.id).collect::<Vec<_>>(), [1, 2], "a sort replaces the order");
    assert!(Place::find(near(oslo(), 5_000.0)).count(&db).await.is_err(), "an aggregation has no `near`");
    assert_eq!(ids(in_circle(oslo(), 100.0)).await?, [2]);
    let ring = [(5.0, 60.0), (6.0, 60.0), (6.0, 61.0), (5.0, 61.0)];
    assert_eq!(ids(in_ring(ring.map(|(longitude, latitude)| Point::new(longitude, latitude)))).await?, [3]);
    let near_oslo = with_distance(&db, OSLO).await?;
    assert_eq!(near_oslo.iter().map(|near| &*near.name).collect::<Vec<_>>(), ["station", "harbor"]);
    assert!(near_oslo[0].metres < 1.0 && near_oslo[1].metres > 1_000.0);

    assert_shown("guides/geo.md", &Place::find(near(oslo(), 5_000.0)).to_mongosh()?);
    assert_shown("guides/geo.md", &Place::find(in_circle(oslo(), 100.0)).to_mongosh()?);
    Ok(())
}
