//! New values beside buckets, shard keys, enums with data, embedded structs, codecs of serde, and a model that is only
//! inserted.

use std::collections::HashMap;

use schema_runtime::{prelude::*, schema};
use schema_tests::{database, database_with_log};

use super::{names, stored};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "panels", new)]
#[inverse(readings = Reading::panel)]
struct Panel {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", bucket(size = 10))]
struct Reading {
    #[serde(rename = "_id")]
    #[auto(sequence)]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    panel: Ref<Panel>,
    #[default(DateTime::now())]
    time: DateTime,
    #[default(0.5)]
    watts: f64,
    #[created_at]
    created: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shapes", insert_only)]
#[shard_key(hashed(id))]
struct Drawing {
    #[serde(rename = "_id")]
    #[auto]
    id: uuid::Uuid,
    shape: Shape,
    #[default(Shape::Empty)]
    shadow: Shape,
    #[relation(one_to_one, embed)]
    #[default(Place { city: "Oslo".to_owned(), x: 1 })]
    place: Place,
    #[bound(max_items = 4)]
    names: HashMap<String, i32>,
    #[opaque(max_bytes = 100)]
    #[serde(with = "seconds")]
    #[default(std::time::Duration::from_secs(9))]
    pause: std::time::Duration,
    #[opaque(max_bytes = 100)]
    #[serde(with = "seconds")]
    length: std::time::Duration,
    #[created_at]
    created: DateTime,
}

mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(value.as_secs() as i64)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        i64::deserialize(deserializer).map(|seconds| Duration::from_secs(seconds.unsigned_abs()))
    }
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Shape {
    Circle { radius: f64 },
    Empty,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Place {
    #[bound(max_len = 20)]
    city: String,
    x: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "villas", new(Debug))]
struct Villa {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
    #[default(2)]
    floors: i32,
    #[version]
    version: i32,
}

#[tokio::test]
async fn a_flat_struct_is_a_field_of_the_new_value() {
    let db = database().await;
    let place = Place { city: "Oslo".to_owned(), x: 3 };
    let villa = NewVilla { place: place.clone(), floors: None }.insert(&db).await.unwrap();
    assert_eq!((&villa.place, villa.floors, villa.version), (&place, 2, 0));
    assert_eq!(villa, Villa::get_by_id(&db, villa.id).await.unwrap());
    let document = stored(&db, "villas").await.remove(0);
    let keys: Vec<&String> = document.keys().collect();
    assert_eq!(keys, ["_id", "floors", "version", "city", "x"]);
    let read: NewVilla = schema_runtime::json::from_json(r#"{ "city": "Rome", "x": 1, "floors": 4 }"#).unwrap();
    assert_eq!((read.place.city.as_str(), read.floors), ("Rome", Some(4)));
    assert!(schema_runtime::json::from_json::<NewVilla>(r#"{ "city": "Rome" }"#).is_err());
}

#[tokio::test]
async fn a_child_in_a_bucket_is_prepared_and_inserted() {
    let (db, log) = database_with_log().await;
    schema![Panel, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let panel = NewPanel {}.insert(&db).await.unwrap();
    let new = || NewReading { panel: Ref::to(&panel), time: None, watts: None };
    let one = new().prepare(&db).await.unwrap();
    log.clear();
    Reading::insert(&db, &one).await.unwrap();
    let many = NewReading::prepare_many(&db, (0..20).map(|_| new())).await.unwrap();
    Reading::insert_many(&db, &many).await.unwrap();
    assert_eq!(names(&log).iter().filter(|name| *name == "findAndModify").count(), 1);
    let mut ids: Vec<i64> = panel.readings().fetch_all(&db).await.unwrap().iter().map(|reading| reading.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=21).collect::<Vec<_>>());
    assert_eq!(Reading::get_by_id(&db, 3).await.unwrap().watts, 0.5);
    let schema = schema![Panel, Reading];
    assert!(schema.verify(&db).await.unwrap().is_clean());
    let imported = Reading { id: 50, ..one };
    Reading::insert(&db, &imported).await.unwrap();
    let report = schema.verify(&db).await.unwrap().to_string();
    assert!(report.contains("items._id: 1 document"), "{report}");
}

#[tokio::test]
async fn an_insert_only_model_with_a_shard_key_and_codecs() {
    let db = database().await;
    let length = std::time::Duration::from_millis(1_700);
    let names = HashMap::from([("b".to_owned(), 1), ("a".to_owned(), 2)]);
    let new =
        NewDrawing { shape: Shape::Circle { radius: 2.0 }, shadow: None, place: None, names, pause: None, length };
    let drawing = new.insert(&db).await.unwrap();
    assert_eq!((&drawing.shadow, drawing.place.city.as_str()), (&Shape::Empty, "Oslo"));
    assert_eq!((drawing.pause.as_secs(), drawing.length.as_millis()), (9, 1_000), "as the codec stores");
    assert_eq!(drawing, Drawing::get_by_id(&db, drawing.id).await.unwrap());
    let document = stored(&db, "shapes").await.remove(0);
    assert_eq!(document.get_i64("pause").unwrap(), 9);
    let keys: Vec<&String> = document.get_document("names").unwrap().keys().collect();
    assert_eq!(keys, ["a", "b"], "a map of any order is stored sorted");
    let read: NewDrawing = serde_json::from_str(
        r#"{ "shape": { "kind": "Empty" }, "names": {}, "pause": 3, "length": 4, "place": { "city": "Rome", "x": 2 } }"#,
    )
    .unwrap();
    assert_eq!((read.pause.unwrap().as_secs(), read.length.as_secs()), (3, 4));
}
