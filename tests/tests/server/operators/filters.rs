//! Conditions on the BSON type, the remainder and the bits of a value, and on places in an area: the command of each,
//! and the documents that the server finds.

use mongodb::bson::{Binary, Bson, Document, doc, spec::BinarySubtype};
use schema_runtime::{Area, BsonType, Point, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "files")]
struct File {
    #[serde(rename = "_id")]
    id: i64,
    size: i64,
    mode: Option<u32>,
    digest: Binary,
    #[bound(max_items = 5)]
    tags: Vec<String>,
    #[bound(max_bytes = 1_000)]
    meta: Bson,
    #[index(geo)]
    place: Point,
    corner: [f64; 2],
    #[relation(one_to_few, embed, max = 5)]
    parts: Vec<Part>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Part {
    offset: i32,
}

fn file(id: i64, size: i64, mode: Option<u32>, bytes: &[u8], longitude: f64) -> File {
    let digest = Binary { subtype: BinarySubtype::Generic, bytes: bytes.to_vec() };
    let (tags, meta, parts) = (vec!["a".to_owned()], Bson::from(size), vec![Part { offset: id as i32 }]);
    File { id, size, mode, digest, tags, meta, place: Point::new(longitude, 5.0), corner: [longitude, 5.0], parts }
}

async fn ids(db: &Database, filter: Filter<File>) -> Vec<i64> {
    let found = File::find(filter).sort(File::F.id.asc()).fetch_all(db).await.unwrap();
    found.into_iter().map(|file| file.id).collect()
}

#[test]
fn each_is_one_operator_on_the_stored_name() {
    let f = File::F;
    let not_array = |alias: &str| doc! { "$type": alias, "$not": { "$type": "array" } };
    let cases = [
        (f.size.has_type(BsonType::Int32), doc! { "size": not_array("int") }),
        (f.tags.has_type(BsonType::Array), doc! { "tags": { "$type": "array" } }),
        (f.parts.offset.has_type(BsonType::Number), doc! { "parts.offset": not_array("number") }),
        (f.size.modulo(-3, 1), doc! { "size": { "$mod": [-3_i64, 1_i64] } }),
        (f.meta.at_path("a.b").modulo(2, 0), doc! { "meta.a.b": { "$mod": [2_i64, 0_i64] } }),
        (f.mode.all_set(0b101), doc! { "mode": { "$bitsAllSet": [0, 2] } }),
        (f.mode.all_clear(0), doc! { "mode": { "$bitsAllClear": [] } }),
        (f.digest.any_set(u64::MAX >> 63 << 63), doc! { "digest": { "$bitsAnySet": [63] } }),
        (f.digest.any_clear(2), doc! { "digest": { "$bitsAnyClear": [1] } }),
    ];
    for (filter, expected) in cases {
        assert_eq!(filter.into_document().unwrap(), expected);
    }
}

#[tokio::test]
async fn the_type_of_the_stored_value_alone() {
    let db = database().await;
    File::insert(&db, &file(1, 3, None, &[1], 0.0)).await.unwrap();
    let raw = db.collection::<Document>("files");
    raw.insert_one(doc! { "_id": 2, "size": "3", "tags": "a", "parts": [{ "offset": 1 }, { "offset": "x" }] })
        .await
        .unwrap();
    raw.insert_one(doc! { "_id": 3, "size": ["3"], "tags": null, "mode": 1.5 }).await.unwrap();
    let f = File::F;
    let found = async |filter: Filter<File>| -> Vec<i64> {
        let found = raw.distinct("_id", filter.into_document().unwrap()).await.unwrap();
        found.iter().map(|id| id.as_i64().unwrap_or_else(|| id.as_i32().unwrap().into())).collect()
    };
    assert_eq!(found(f.size.has_type(BsonType::String)).await, [2], "an array of strings is no string");
    assert_eq!(found(f.size.has_type(BsonType::Array)).await, [3]);
    assert_eq!(found(f.size.has_type(BsonType::Number)).await, [1]);
    assert_eq!(found(!f.size.has_type(BsonType::Number)).await, [2, 3]);
    assert_eq!(found(f.tags.has_type(BsonType::String)).await, [2]);
    assert_eq!(found(f.tags.has_type(BsonType::Null)).await, [3]);
    assert_eq!(found(f.mode.has_type(BsonType::Double)).await, [3]);
    assert_eq!(found(f.mode.has_type(BsonType::Null)).await, [1], "an absent field has no type");
    assert_eq!(found(f.parts.offset.has_type(BsonType::String)).await, [2], "some element");
    assert_eq!(found(f.parts.elem_match(|part| part.offset.has_type(BsonType::Number))).await, [1, 2]);
    assert_eq!(found(f.tags.elem_match(|tag| tag.has_type(BsonType::String))).await, [1]);
    for stored in [
        BsonType::Array,
        BsonType::Binary,
        BsonType::Bool,
        BsonType::DateTime,
        BsonType::Decimal128,
        BsonType::Document,
        BsonType::Int32,
        BsonType::Int64,
        BsonType::MaxKey,
        BsonType::MinKey,
        BsonType::ObjectId,
        BsonType::RegularExpression,
        BsonType::Timestamp,
    ] {
        found(f.meta.has_type(stored)).await;
    }
}

#[tokio::test]
async fn remainders_and_bits() {
    let db = database().await;
    let all = [
        file(1, 12, Some(0b101), &[0b1], 0.0),
        file(2, -5, Some(u32::MAX), &[0xFF, 0xFF], 0.0),
        file(3, i64::MAX, None, &[0b10, 0b1], 0.0),
    ];
    File::insert_many(&db, &all).await.unwrap();
    let f = File::F;
    assert_eq!(ids(&db, f.size.modulo(12, 0)).await, [1]);
    assert_eq!(ids(&db, f.size.modulo(3, -2)).await, [2], "the remainder has the sign of the number");
    assert_eq!(ids(&db, f.size.modulo(i64::MAX, 0)).await, [3]);
    assert_eq!(ids(&db, f.parts.elem_match(|part| part.offset.modulo(2, 0))).await, [2]);
    assert_eq!(ids(&db, f.mode.all_set(0b101)).await, [1, 2]);
    assert_eq!(ids(&db, f.mode.all_set(1 << 31)).await, [2]);
    assert_eq!(ids(&db, f.mode.all_clear(0b10)).await, [1]);
    assert_eq!(ids(&db, f.mode.any_set(0b110)).await, [1, 2]);
    assert_eq!(ids(&db, f.mode.any_clear(0b110)).await, [1]);
    assert_eq!(ids(&db, f.size.all_set(1 << 63)).await, [2], "the sign");
    assert_eq!(ids(&db, f.digest.all_set(1 << 8)).await, [2, 3], "the second byte");
    assert_eq!(ids(&db, f.digest.any_clear(1)).await, [3]);
    assert!(matches!(f.size.modulo(0, 0).into_document(), Err(Error::Filter { .. })));
}

#[tokio::test]
async fn places_in_an_area_or_on_its_border() {
    let db = database().await;
    let all = [file(1, 0, None, &[], 5.0), file(2, 0, None, &[], 0.0), file(3, 0, None, &[], 20.0)];
    File::insert_many(&db, &all).await.unwrap();
    let square =
        || Area::polygon([Point::new(0.0, 0.0), Point::new(10.0, 0.0), Point::new(10.0, 10.0), Point::new(0.0, 10.0)]);
    let f = File::F;
    for _ in 0..2 {
        assert_eq!(ids(&db, f.place.intersects(square())).await, [1, 2]);
        assert_eq!(ids(&db, !f.place.intersects(square())).await, [3]);
        assert_eq!(ids(&db, f.corner.intersects(square())).await, [1, 2]);
        // The index finds equal documents.
        schema![File].plan(&db).await.unwrap().apply(&db).await.unwrap();
    }
    let circle = f.place.intersects(Area::circle(Point::new(0.0, 0.0), 10.0));
    assert!(matches!(circle.into_document(), Err(Error::Filter { .. })));
}
