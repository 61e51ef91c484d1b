//! The validator holds every client to the bounds, and changes with the bounds.

use std::collections::HashMap;

use mongodb::bson::{Bson, doc};
use schema_runtime::{
    BoundedVec,
    apply::ApplyOptions,
    definition::Shape,
    plan::{Change, Needs},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 5)]
    name: String,
    born: Option<DateTime>,
    #[bound(max_items = 2)]
    tags: Vec<String>,
    #[bound(max_items = 2, max_len = 3)]
    notes: HashMap<String, String>,
    #[relation(one_to_few, embed, max = 2)]
    addresses: Vec<Address>,
    kind: Option<Kind>,
    place: [i32; 2],
    grid: Few3,
    ratio: f64,
    #[serde(default)]
    level: i32,
    #[opaque(max_bytes = 100)]
    other: Document,
}

type Few3 = BoundedVec<BoundedVec<i32, 2>, 3>;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[bound(max_len = 2)]
    cc: String,
    #[bound(max_items = 1)]
    lines: Vec<String>,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Big,
    Tiny,
}

fn person(id: i64) -> Document {
    doc! {
        "_id": id, "name": "abcde", "born": null, "tags": ["a", "b"], "notes": { "x": "abc", "y": "" },
        "addresses": [{ "cc": "no", "lines": [] }, { "cc": "sé", "lines": ["l"] }], "kind": "big",
        "place": [1, 2], "grid": [[], [1, 2]], "ratio": 0.5, "other": { "any": 1 },
    }
}

#[tokio::test]
async fn any_client_is_held_to_the_bounds() {
    let db = database().await;
    applied(schema![Person], &db).await;
    let people = raw(&db, "people");
    people.insert_one(person(0)).await.expect("it is valid");
    let valid = [
        ("born", Bson::DateTime(DateTime::MIN)),
        ("_id", Bson::Int32(77)),
        ("kind", Bson::Null),
        ("ratio", Bson::Int32(1)),
        ("level", Bson::Int64(1)),
        ("name", Bson::from("ÄÖÜßé")),
        ("unknown", Bson::from("field")),
        ("other", Bson::from("anything")),
    ];
    for (id, (field, value)) in valid.into_iter().enumerate() {
        let mut document = person(100 + id as i64);
        document.insert(field, value);
        people.insert_one(document).await.unwrap_or_else(|error| panic!("{field}: {error}"));
    }
    let invalid = [
        ("name", Bson::from("abcdef")),
        ("name", Bson::Null),
        ("_id", Bson::from("text")),
        ("born", Bson::from("2024-01-01")),
        ("tags", Bson::from(vec!["a", "b", "c"])),
        ("tags", Bson::from(vec![1])),
        ("tags", Bson::Null),
        ("notes", Bson::from(doc! { "a": "", "b": "", "c": "" })),
        ("notes", Bson::from(doc! { "a": "abcd" })),
        ("addresses", Bson::from(vec![doc! { "cc": "", "lines": [] }; 3])),
        ("addresses", Bson::from(vec![doc! { "cc": "nor", "lines": [] }])),
        ("addresses", Bson::from(vec![doc! { "lines": [] }])),
        ("addresses", Bson::from(vec![doc! { "cc": "", "lines": ["a", "b"] }])),
        ("kind", Bson::from("Big")),
        ("place", Bson::from(vec![1])),
        ("place", Bson::from(vec![1, 2, 3])),
        ("grid", Bson::from(vec![vec![1, 2, 3]])),
        ("ratio", Bson::from("0.5")),
        ("level", Bson::Double(1.5)),
    ];
    for (field, value) in invalid {
        let mut document = person(1);
        document.insert(field, value.clone());
        let refused = people.insert_one(document).await;
        let error = refused.expect_err(&format!("{field}: {value} must be refused"));
        assert!(error.to_string().contains("Document failed validation"), "{field}: {error}");
    }
    for required in ["name", "tags", "notes", "addresses", "place", "grid", "ratio", "other"] {
        let mut document = person(1);
        document.remove(required);
        people.insert_one(document).await.expect_err(required);
    }
    for (id, optional) in [(200, "born"), (201, "kind"), (202, "level")] {
        let mut document = person(id);
        document.remove(optional);
        people.insert_one(document).await.expect(optional);
    }
    for push in [doc! { "$push": { "tags": "c" } }, doc! { "$set": { "notes.z": "" } }] {
        people.update_one(doc! { "_id": 0 }, push).await.expect_err("it goes over a bound");
    }
}

mod before {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "lists")]
    pub(super) struct List {
        #[serde(rename = "_id")]
        id: i64,
        #[bound(max_items = 3)]
        items: Vec<i32>,
    }
}

mod after {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "lists")]
    pub(super) struct RenamedList {
        #[serde(rename = "_id")]
        id: i64,
        #[bound(max_items = 2)]
        items: Vec<i32>,
    }
}

mod renamed {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "lists")]
    pub(super) struct OnlyTheNameDiffers {
        #[bound(max_items = 3)]
        items: Vec<i32>,
        #[serde(rename = "_id")]
        id: i64,
    }
}

mod lenient {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "lists", validation(level = moderate, action = warn))]
    pub(super) struct List {
        #[serde(rename = "_id")]
        id: i64,
        #[bound(max_items = 3)]
        items: Vec<i32>,
    }
}

#[tokio::test]
async fn a_changed_bound_is_one_coll_mod_and_the_plan_counts_who_fails() {
    let (db, log) = database_with_log().await;
    applied(schema![before::List], &db).await;
    for (id, items) in [(1, 0), (2, 2), (3, 3), (4, 3)] {
        raw(&db, "lists").insert_one(doc! { "_id": id, "items": vec![0; items] }).await.expect("valid");
    }
    let plan = planned(schema![after::RenamedList], &db).await;
    let [Change::SetValidator { old: Some(_), foreign: false, refused: Some(2), .. }] = changes(&plan)[..] else {
        panic!("{plan}")
    };
    assert_eq!(
        plan.to_string(),
        "lists (RenamedList)
  ~ validator, strict error
      2 documents do not pass the new validator
      - items.maxItems: 3
      + items.maxItems: 2
"
    );
    log.clear();
    let allow = ApplyOptions::new().allow_refused(true);
    plan.apply_with(&db, allow).await.and_then(|report| report.complete()).expect("every step is done");
    assert_eq!(changing(&log), ["collMod"]);
    is_settled(schema![after::RenamedList], &db).await;
    raw(&db, "lists").insert_one(doc! { "_id": 5, "items": vec![0; 3] }).await.expect_err("it is over the bound");
    assert_eq!(raw(&db, "lists").count_documents(doc! {}).await.expect("a count"), 4, "nothing was lost");
}

#[tokio::test]
async fn a_renamed_struct_or_another_order_of_fields_is_no_change() {
    let db = database().await;
    applied(schema![before::List], &db).await;
    is_settled(schema![renamed::OnlyTheNameDiffers], &db).await;
}

#[tokio::test]
async fn level_and_action_change() {
    let db = database().await;
    applied(schema![lenient::List], &db).await;
    raw(&db, "lists").insert_one(doc! { "_id": 1, "items": "none" }).await.expect("it is only warned of");
    let plan = planned(schema![before::List], &db).await;
    assert_eq!(
        plan.to_string(),
        "lists (List)\n  ~ validator, moderate warn becomes strict error\n      1 document does not pass the new \
         validator\n"
    );
    assert_eq!(plan.steps()[0].needs(), Needs::Nothing);
    let allow = ApplyOptions::new().allow_refused(true);
    plan.apply_with(&db, allow).await.and_then(|report| report.complete()).expect("every step is done");
    is_settled(schema![before::List], &db).await;
    raw(&db, "lists").insert_one(doc! { "_id": 2, "items": "none" }).await.expect_err("it is refused now");
}

#[tokio::test]
async fn the_server_takes_a_validator_of_every_shape() {
    use schema_runtime::{
        Schema,
        definition::{CollectionOptions, ExtraFields, FieldDefinition, Kind, ModelDefinition, Scalar},
    };
    let scalars = [
        Scalar::ObjectId,
        Scalar::DateTime,
        Scalar::Decimal128,
        Scalar::Binary,
        Scalar::Uuid,
        Scalar::Timestamp,
        Scalar::Integer,
        Scalar::Double,
        Scalar::Single,
        Scalar::Bool,
    ];
    let mut shapes: Vec<Shape> = scalars.into_iter().map(Shape::scalar).collect();
    shapes.extend([
        Shape::new(Kind::String { max_len: Some(u64::MAX) }),
        Shape::new(Kind::String { max_len: Some(0) }),
        Shape::new(Kind::Enum(&["one"])),
        Shape::new(Kind::Opaque { max_bytes: 1, converted: false, raw: None }),
        Shape::new(Kind::Document { name: "Empty", fields: &[], judged: true, copies: &[] }),
    ]);
    for at in 0..shapes.len() {
        let items: &'static Shape = Box::leak(Box::new(shapes[at]));
        shapes.push(Shape::new(Kind::Array { items, min: 0, max: Some(u64::from(u32::MAX)) }));
        shapes.push(Shape::new(Kind::Map { values: items, max: Some(0) }));
    }
    shapes.extend(shapes.clone().into_iter().map(Shape::nullable));
    let mut fields = vec![FieldDefinition::new("id", "_id", Shape::scalar(Scalar::Integer))];
    for (at, shape) in shapes.into_iter().enumerate() {
        let name: &'static str = format!("f{at}").leak();
        fields.push(FieldDefinition::new(name, name, shape));
    }
    let model: &'static ModelDefinition = Box::leak(Box::new(ModelDefinition {
        name: "Every",
        model: "Every",
        collection: "every",
        fields: fields.leak(),
        variants: None,
        relations: &[],
        inverses: &[],
        mirrors: &[],
        copies: &[],
        copied_to: &[],
        rollups: &[],
        queries: &[],
        shard_key: None,
        all_indexes: &[],
        options: CollectionOptions::DEFAULT,
        read_only: false,
        insert_only: false,
        allows: &[],
        whole: true,
        search_indexes: &[],
        document_rules: &[],
        bucket: None,
        document: None,
        extra: ExtraFields::Drop,
        strict: false,
    }));
    let db = database().await;
    let schema = Schema::new(Box::leak(Box::new([model])));
    applied(schema, &db).await;
    is_settled(schema, &db).await;
}
