//! Models of every kind compile, and their definitions equal the output of serde.

use std::collections::{BTreeSet, HashMap};

use schema_runtime::{
    BoundedVec,
    definition::{Kind, ModelDefinition},
    prelude::*,
};
use schema_tests::models::{Host, LogMsg};

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[index(unique)]
    ssn: String,
    #[relation(one_to_few, embed, max = 20)]
    addresses: Vec<Address>,
    #[relation(one_to_one, embed)]
    contact: Contact,
    #[bound(max_items = 30)]
    tags: Vec<String>,
    #[bound(max_items = 30, max_len = 10)]
    notes: HashMap<String, String>,
    #[bound(max_items = 5)]
    set: BTreeSet<i64>,
    r#type: Size,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Address {
    street: String,
    city: String,
    #[bound(max_len = 2)]
    cc: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
struct Contact {
    e_mail: Option<Email>,
    wrapped: Wrapped<i64>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Email(String);

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Wrapped<T> {
    value: T,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
enum Size {
    BigOne,
    #[serde(rename = "tiny")]
    Small,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[relation(one_to_many, child_refs, max = 2_000, inverse = products)]
    parts: Vec<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
#[inverse(products = Product::parts)]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    qty: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
#[inverse(blocked = Task::blocker, followers = Task::follows)]
#[index(action, desc(r#type))]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref, inverse = owned)]
    owner: Ref<Worker>,
    #[relation(one_to_many, parent_ref, inverse = reviewed)]
    reviewer: Option<Ref<Worker>>,
    #[relation(one_to_many, parent_ref)]
    blocker: Option<Ref<Task>>,
    #[relation(one_to_many, child_refs, max = 10, inverse = followers)]
    follows: Vec<Ref<Task>>,
    #[relation(one_to_many, parent_ref)]
    self_: Option<Ref<Task>>,
    action: String,
    r#type: i32,
}

/// A worker with references back to its referring documents.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "workers", validation(level = moderate, action = warn))]
#[inverse(owned = Task::owner, reviewed = Task::reviewer)]
struct Worker {
    #[serde(rename = "_id")]
    id: Uuid,
    #[relation(one_to_many, parent_ref)]
    r#type: Option<Ref<Task>>,
    #[relation(one_to_one, parent_ref, standalone)]
    action: Ref<Task>,
    #[index(unique)]
    email: Option<String>,
}

macro_rules! model {
    ($name:ident, $collection:literal, $field:ident: $ty:ty) => {
        #[derive(Model, Serialize, Deserialize)]
        #[model(collection = $collection)]
        struct $name {
            #[serde(rename = "_id")]
            id: ObjectId,
            #[relation(one_to_few, embed, max = 4)]
            $field: $ty,
        }
    };
}

model!(FromMacro, "from_macro", places: Vec<Address>);

#[test]
fn paths_are_those_that_serde_writes() {
    assert_eq!(Person::F.addresses.city.path(), "addresses.city");
    assert_eq!(Person::F.contact.e_mail.path(), "contact.eMail");
    assert_eq!(Person::F.contact.wrapped.path(), "contact.wrapped");
    assert_eq!(Person::F.id.path(), "_id");
    assert_eq!(Person::F.r#type.path(), "type");
    assert_eq!(FromMacro::F.places.city.path(), "places.city");
    let _ = (Product::PARTS, Host::LOGMSGS, LogMsg::HOST, FromMacro::PLACES);
}

#[test]
fn two_relations_to_one_model_are_told_apart_by_their_fields() {
    let relations: Vec<_> = Task::RELATIONS.iter().map(|relation| (relation.field, relation.inverse)).collect();
    assert_eq!(
        relations,
        [
            ("owner", Some("owned")),
            ("reviewer", Some("reviewed")),
            ("blocker", None),
            ("follows", Some("followers")),
            ("self_", None)
        ]
    );
    let inverses: Vec<_> = Worker::INVERSES.iter().map(|inverse| (inverse.accessor, inverse.field)).collect();
    assert_eq!(inverses, [("owned", "owner"), ("reviewed", "reviewer")]);
    assert_eq!(Task::RELATIONS[2].target.map(|target| (target.definition)().collection), Some("tasks"));
    let _ = (Task::OWNER, Task::REVIEWER, Task::BLOCKER, Task::SELF, Worker::TYPE, Worker::ACTION, Worker::OWNED);
}

#[test]
fn relations_bring_the_indexes_they_are_read_by() {
    let keys = |definition: &ModelDefinition| -> Vec<String> {
        definition
            .indexes()
            .map(|index| {
                let keys =
                    index.keys.iter().map(|key| format!("{} {:?}", definition.stored_path(key.path), key.direction));
                keys.collect::<Vec<_>>().join(", ")
            })
            .collect()
    };
    assert_eq!(keys(LogMsg::DEFINITION), ["host Ascending, time Descending, _id Descending"]);
    assert_eq!(keys(Product::DEFINITION), ["parts Ascending, _id Descending"]);
    assert_eq!(
        keys(Task::DEFINITION),
        [
            "action Ascending, type Descending",
            "owner Ascending, _id Descending",
            "reviewer Ascending, _id Descending",
            "blocker Ascending, _id Descending",
            "follows Ascending, _id Descending",
            "self_ Ascending, _id Descending"
        ]
    );
    let unique = Worker::DEFINITION.indexes().find(|index| index.keys[0].path == ["action"]);
    assert!(unique.is_some_and(|index| index.unique), "a one-to-one reference is unique");
}

#[test]
fn a_definition_says_what_the_attributes_say() {
    let options = Worker::DEFINITION.options;
    assert_eq!((options.validation_level.word(), options.validation_action.word()), ("moderate", "warn"));
    assert_eq!(Person::DEFINITION.name, "models::Person");
    let Kind::Array { max, items, .. } = Person::DEFINITION.field("addresses").expect("a field").shape.kind else {
        panic!("an array")
    };
    assert_eq!(max, Some(20));
    assert!(matches!(items.kind, Kind::Document { name: "Address", .. }));
    let notes = Person::DEFINITION.field("notes").expect("a field").shape;
    assert!(matches!(notes.kind, Kind::Map { max: Some(30), .. }));
    assert!(matches!(notes.item().kind, Kind::String { max_len: Some(10) }));
}

/// Defaults and conditions of a generic embedded struct belong to the struct, not to the derived code.
#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Matrix<T = i32, const N: usize = 2>
where
    T: Clone + PartialEq,
{
    cells: BoundedVec<T, N>,
    last: Option<T>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Measured<T = f64>(T)
where
    T: Clone;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "boards")]
struct Board {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    whole: Matrix,
    #[relation(one_to_one, embed)]
    half: Matrix<f64, 4>,
    weight: Measured,
}

#[test]
fn a_generic_struct_may_have_defaults_and_conditions() {
    assert_eq!(Board::F.half.last.path(), "half.last");
    assert_eq!(Board::F.whole.cells.path(), "whole.cells");
    assert!(Board::F.weight.eq(Measured(1.5)).into_document().is_ok());
}

#[allow(dead_code, missing_docs, unreachable_pub, reason = "generated")]
mod large {
    include!(concat!(env!("OUT_DIR"), "/large_schemas.rs"));
}

/// rustc refuses a constant that takes too many steps to evaluate.
#[test]
fn large_schemas_compile() {
    assert_eq!(large::cascades::schema().models().len(), 120);
    assert_eq!(large::long_cascade::schema().models().len(), 40);
    assert_eq!(large::five::schema().models().len(), 60);
}

#[allow(clippy::all, dead_code, unused_variables, missing_docs, unreachable_pub, reason = "generated")]
mod program {
    include!(concat!(env!("OUT_DIR"), "/build_program.rs"));

    pub(super) fn calls() -> usize {
        CALLS.len()
    }
}

/// The bench `build` measures this program.
#[test]
fn the_program_of_the_bench_compiles() {
    assert_eq!(program::calls(), 200);
}

#[derive(Embed, Serialize, Deserialize)]
struct Two<T> {
    one: T,
    other: T,
}

type Four<T> = Two<Two<T>>;
type Sixteen<T> = Four<Four<T>>;
type TwoHundred<T> = Sixteen<Sixteen<T>>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "wide")]
struct Wide {
    #[serde(rename = "_id")]
    id: ObjectId,
    numbers: TwoHundred<TwoHundred<i32>>,
}

/// A struct in many places is counted once.
#[test]
fn structs_in_structs_compile() {
    assert_eq!(Wide::DEFINITION.fields.len(), 2);
}
