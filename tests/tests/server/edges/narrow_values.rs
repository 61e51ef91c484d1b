//! A validator refuses a value that the struct would read as another value, or not at all: a number beyond an `f32`,
//! and a binary that is no UUID.

use std::collections::HashMap;

use mongodb::{
    Collection,
    bson::{Binary, Bson, Document, doc, spec::BinarySubtype},
};
use schema_runtime::{
    BoundedVec, Error, Schema,
    apply::ApplyOptions,
    plan::{Change, Plan},
    prelude::*,
};
use schema_tests::database;

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Inner {
    ratio: f32,
}

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "levels")]
struct Level {
    #[serde(rename = "_id")]
    id: i32,
    level: f32,
    optional: Option<f32>,
    #[bound(max_items = 3)]
    list: Vec<f32>,
    #[bound(max_items = 3)]
    map: HashMap<String, f32>,
    #[relation(one_to_one, embed)]
    inner: Inner,
    wide: f64,
}

fn level(id: i32) -> Document {
    doc! {
        "_id": id, "level": 0.5, "optional": null, "list": [0.5, 1], "map": { "a": 0.5 }, "inner": { "ratio": 0.5 },
        "wide": 1e300,
    }
}

const NARROW: [&str; 5] = ["level", "optional", "list.1", "map.a", "inner.ratio"];

fn raw(db: &Database, collection: &str) -> Collection<Document> {
    db.collection(collection)
}

async fn applied(schema: Schema, db: &Database) {
    schema.plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    is_settled(schema, db).await;
}

async fn is_settled(schema: Schema, db: &Database) {
    let plan = schema.plan(db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}

fn refused(plan: &Plan) -> Option<u64> {
    let [step] = plan.steps() else { panic!("{plan}") };
    let Change::SetValidator { refused, .. } = &step.change else { panic!("{plan}") };
    *refused
}

#[tokio::test]
async fn a_number_beyond_an_f32_is_refused() {
    let db = database().await;
    applied(schema![Level], &db).await;
    let levels = raw(&db, "levels");
    levels.insert_one(level(1)).await.unwrap();
    let set = |field: &str, value: Bson| levels.update_one(doc! { "_id": 1 }, doc! { "$set": { field: value } });
    let greatest = f64::from(f32::MAX);
    for field in NARROW {
        for number in [greatest, -greatest, 0.1, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            set(field, Bson::Double(number)).await.unwrap_or_else(|error| panic!("{field}: {number}: {error}"));
            Level::get_by_id(&db, 1).await.unwrap_or_else(|error| panic!("{field}: {number}: {error}"));
        }
        for number in [Bson::Int32(i32::MIN), Bson::Int64(i64::MAX), Bson::Int64(16_777_217)] {
            set(field, number.clone()).await.unwrap_or_else(|error| panic!("{field}: {number}: {error}"));
        }
        for number in [greatest.next_up(), -greatest.next_up(), 1e300, f64::MAX, f64::MIN] {
            set(field, Bson::Double(number)).await.expect_err(&format!("{field}: {number}"));
        }
    }
    assert_eq!(Level::get_by_id(&db, 1).await.unwrap().wide, 1e300);
    // A value without a JSON text is read back as written.
    let value =
        Level { level: f32::INFINITY, list: vec![f32::MIN, f32::MAX], ..Level::get_by_id(&db, 1).await.unwrap() };
    Level::replace(&db, &value).await.unwrap();
    assert_eq!(Level::get_by_id(&db, 1).await.unwrap(), value);
}

#[tokio::test]
async fn an_update_that_would_leave_the_range_of_an_f32_is_refused() {
    let db = database().await;
    applied(schema![Level], &db).await;
    raw(&db, "levels").insert_one(level(1)).await.unwrap();
    let f = Level::F;
    Level::update_by_id(1).set(f.level, f32::MAX).set(f.inner.ratio, f32::MIN).execute(&db).await.unwrap();
    let above = Level::update_by_id(1).inc(f.level, f32::MAX).execute(&db).await.unwrap_err();
    let Error::DocumentInvalid { failures, .. } = &above else { panic!("{above:?}") };
    let [failed] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!((failed.field.as_str(), failed.rule.as_str()), ("level", "maximum"));
    assert_eq!(
        above.to_string(),
        "a document of `levels` does not pass the collection's validator: `level` is greater than the greatest allowed \
         value"
    );
    let below = Level::update_by_id(1).mul(f.inner.ratio, 2.0).execute(&db).await.unwrap_err();
    assert_eq!(
        below.to_string(),
        "a document of `levels` does not pass the collection's validator: `inner.ratio` is less than the least allowed \
         value"
    );
    let stored = Level::get_by_id(&db, 1).await.unwrap();
    assert_eq!((stored.level, stored.inner.ratio), (f32::MAX, f32::MIN));
}

#[tokio::test]
async fn a_plan_counts_the_numbers_beyond_an_f32() {
    let db = database().await;
    let levels = raw(&db, "levels");
    for (id, number) in (1..).zip([0.5, 1e300, f64::NAN, f64::INFINITY, f64::from(f32::MAX), -1e39]) {
        let mut level = level(id);
        level.insert("level", number);
        levels.insert_one(level).await.unwrap();
    }
    let plan = schema![Level].plan(&db).await.unwrap();
    assert_eq!(refused(&plan), Some(2));
    let allow = ApplyOptions::new().allow_refused(true);
    plan.apply_with(&db, allow).await.unwrap().complete().unwrap();
    is_settled(schema![Level], &db).await;
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Keyed {
    key: Uuid,
    #[bound(max_items = 3)]
    keys: Vec<Uuid>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Id {
    key: Uuid,
    number: i32,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "kind")]
enum Either {
    Key { value: Uuid },
    Bytes { value: Binary },
}

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: Uuid,
}

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: Id,
    key: Uuid,
    optional: Option<Uuid>,
    #[bound(max_items = 3)]
    keys: Vec<Uuid>,
    grid: BoundedVec<BoundedVec<Uuid, 3>, 3>,
    #[relation(one_to_one, embed)]
    inner: Keyed,
    maybe: Option<Keyed>,
    #[relation(one_to_few, embed, max = 3)]
    list: Vec<Keyed>,
    #[relation(one_to_many, parent_ref)]
    owner: Ref<Owner>,
    either: Either,
    #[bound(max_items = 3)]
    map: HashMap<String, Uuid>,
    bytes: Binary,
}

fn binary(subtype: BinarySubtype, byte: u8, length: usize) -> Bson {
    Bson::Binary(Binary { subtype, bytes: vec![byte; length] })
}

fn uuid(byte: u8) -> Bson {
    binary(BinarySubtype::Uuid, byte, 16)
}

fn keyed(byte: u8) -> Document {
    doc! { "key": uuid(byte), "keys": [uuid(0), uuid(byte)] }
}

fn thing(byte: u8) -> Document {
    doc! {
        "_id": { "key": uuid(byte), "number": 1 }, "key": uuid(0), "optional": null, "keys": [], "grid": [[], [uuid(255), uuid(1)]],
        "inner": keyed(1), "maybe": null, "list": [keyed(1), keyed(255)], "owner": uuid(255),
        "either": { "kind": "Key", "value": uuid(1) }, "map": { "a": uuid(1) }, "bytes": uuid(1),
    }
}

const OTHERS: [(BinarySubtype, u8, usize); 7] = [
    (BinarySubtype::UuidOld, 1, 16),
    (BinarySubtype::Generic, 0, 16),
    (BinarySubtype::Md5, 255, 16),
    (BinarySubtype::UserDefined(255), 7, 16),
    (BinarySubtype::Uuid, 255, 15),
    (BinarySubtype::Uuid, 0, 17),
    (BinarySubtype::Generic, 1, 0),
];

const KEYS: [(&str, &str); 9] = [
    ("key", "key"),
    ("optional", "optional"),
    ("keys.0", "keys"),
    ("grid.1.0", "grid"),
    ("inner.key", "inner.key"),
    ("inner.keys.1", "inner.keys"),
    ("list.1.key", "list.key"),
    ("list.0.keys.0", "list.keys"),
    ("owner", "owner"),
];

#[tokio::test]
async fn a_binary_that_is_no_uuid_is_refused() {
    let db = database().await;
    applied(schema![Thing, Owner], &db).await;
    let things = raw(&db, "things");
    things.insert_one(thing(1)).await.unwrap();
    let set = |field: &str, value: Bson| things.update_one(doc! {}, doc! { "$set": { field: value } });
    for (field, named) in KEYS {
        for (subtype, byte, length) in OTHERS {
            let error = set(field, binary(subtype, byte, length)).await.expect_err(field);
            assert!(error.to_string().contains("Document failed validation"), "{field}: {error}");
        }
        for byte in [0, 1, 255] {
            set(field, uuid(byte)).await.unwrap_or_else(|error| panic!("{field}: {error}"));
        }
        let other = binary(BinarySubtype::UuidOld, 1, 16);
        let error =
            Thing::update_many(Filter::all()).raw(doc! { "$set": { field: other } }).execute(&db).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "a document of `things` does not pass the collection's validator: `{named}` is binary data, and no UUID \
                 (16 bytes of subtype 4)"
            )
        );
    }
    // Only the variant with a UUID in this field is checked.
    let other = binary(BinarySubtype::UuidOld, 1, 16);
    set("either.value", other.clone()).await.expect_err("a key");
    set("either", Bson::from(doc! { "kind": "Bytes", "value": other.clone() })).await.unwrap();
    // Absent and null are valid for an `Option`, also in a struct.
    things.update_one(doc! {}, doc! { "$unset": { "optional": "", "maybe": "" } }).await.unwrap();
    set("maybe", Bson::from(keyed(3))).await.unwrap();
    set("maybe.key", other.clone()).await.expect_err("a key");
    set("maybe", Bson::Null).await.unwrap();
    // A `Binary` may have any subtype.
    set("bytes", other.clone()).await.unwrap();
    // The validator checks all fields but the values of a map: the values of a map have no path.
    set("map.a", other.clone()).await.unwrap();
    set("map.a", uuid(1)).await.unwrap();
    let mut id = thing(9);
    id.get_document_mut("_id").unwrap().insert("key", other.clone());
    things.insert_one(id).await.expect_err("the `_id` has one");
    raw(&db, "owners").insert_one(doc! { "_id": other }).await.expect_err("the `_id` is one");
    assert_eq!(Thing::find(Filter::all()).fetch_all(&db).await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_else_is_wrong_with_a_document_is_said_as_ever() {
    let db = database().await;
    applied(schema![Thing, Owner], &db).await;
    let things = raw(&db, "things");
    things.insert_one(thing(1)).await.unwrap();
    let change =
        |update: Document| async { Thing::update_many(Filter::all()).raw(update).execute(&db).await.unwrap_err() };
    let error = change(doc! { "$set": { "keys": [uuid(1), uuid(1), uuid(1), uuid(1)] } }).await;
    assert!(matches!(&error, Error::BoundExceeded { field, bound: 3, size: 4, .. } if field == "keys"), "{error:?}");
    let other = binary(BinarySubtype::UuidOld, 1, 16);
    let error = change(doc! { "$set": { "bytes": 1, "key": other } }).await;
    assert_eq!(
        error.to_string(),
        "a document of `things` does not pass the collection's validator: `bytes` is of type int and does not meet \
         `bsonType`; `key` is binary data, and no UUID (16 bytes of subtype 4)"
    );
}

#[tokio::test]
async fn a_plan_counts_the_binaries_that_are_no_uuids() {
    let db = database().await;
    let things = raw(&db, "things");
    let other = binary(BinarySubtype::UuidOld, 1, 16);
    for (byte, path) in (1..).zip(["", "key", "list", "bytes", "map"]) {
        let mut thing = thing(byte);
        match path {
            "" => {}
            "list" => drop(thing.insert("list", vec![keyed(1), doc! { "key": &other, "keys": [] }])),
            "map" => drop(thing.insert("map", doc! { "a": &other })),
            path => drop(thing.insert(path, other.clone())),
        }
        things.insert_one(thing).await.unwrap();
    }
    let plan = schema![Thing, Owner].plan(&db).await.unwrap();
    let counted = plan.steps().iter().find_map(|step| match &step.change {
        Change::SetValidator { refused, .. } => *refused,
        _ => None,
    });
    assert_eq!(counted, Some(2), "{plan}");
    let allow = ApplyOptions::new().allow_refused(true);
    plan.apply_with(&db, allow).await.unwrap().complete().unwrap();
    is_settled(schema![Thing, Owner], &db).await;
}

mod kinds {
    use super::*;

    #[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
    #[model(collection = "kinds")]
    #[serde(tag = "kind")]
    pub(super) enum Kind {
        Key {
            #[serde(rename = "_id")]
            id: i32,
            value: Uuid,
        },
        Bytes {
            #[serde(rename = "_id")]
            id: i32,
            value: Binary,
        },
    }
}

#[tokio::test]
async fn a_collection_of_several_shapes_judges_each() {
    let db = database().await;
    applied(schema![kinds::Kind], &db).await;
    let (kinds, other) = (raw(&db, "kinds"), binary(BinarySubtype::UuidOld, 1, 16));
    kinds.insert_one(doc! { "_id": 1, "kind": "Key", "value": uuid(1) }).await.unwrap();
    kinds.insert_one(doc! { "_id": 2, "kind": "Bytes", "value": &other }).await.unwrap();
    kinds.insert_one(doc! { "_id": 3, "kind": "Key", "value": &other }).await.expect_err("no UUID");
}

mod posts {
    use super::*;

    #[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
    #[model(collection = "posts")]
    #[inverse(comments = Comment::post)]
    pub(super) struct Post {
        #[serde(rename = "_id")]
        pub(super) id: Uuid,
    }

    #[derive(Model, Serialize, Deserialize, Debug, PartialEq, Clone)]
    #[model(collection = "comments", bucket(size = 4))]
    pub(super) struct Comment {
        #[serde(rename = "_id")]
        pub(super) id: Uuid,
        #[relation(one_to_squillions, parent_ref)]
        pub(super) post: Ref<Post>,
        pub(super) likes: i32,
    }
}

#[tokio::test]
async fn the_children_in_a_bucket_are_judged() {
    use posts::{Comment, Post};
    let db = database().await;
    applied(schema![Post, Comment], &db).await;
    let (post, id) = (Post { id: Uuid::from_bytes([1; 16]) }, |byte| Uuid::from_bytes([byte; 16]));
    Post::insert(&db, &post).await.unwrap();
    for byte in 1..4 {
        let comment = Comment { id: id(byte), post: Ref::new(post.id), likes: i32::MAX };
        Comment::insert(&db, &comment).await.unwrap();
    }
    let (buckets, other) = (raw(&db, "comments"), binary(BinarySubtype::UuidOld, 1, 16));
    let update = doc! { "$set": { "items.1._id": &other } };
    buckets.update_one(doc! {}, update).await.expect_err("a child without a UUID");
    buckets.update_one(doc! {}, doc! { "$set": { "post": &other } }).await.expect_err("no UUID");
    let error = Comment::update_by_id(id(2)).inc(Comment::F.likes, 1).execute(&db).await.unwrap_err();
    let why = "`likes` is greater than 2147483647, the greatest allowed value";
    assert_eq!(error.to_string(), format!("a document of `comments` does not pass the collection's validator: {why}"));
    assert_eq!(post.comments().latest(9).fetch_all(&db).await.unwrap().len(), 3);
}
