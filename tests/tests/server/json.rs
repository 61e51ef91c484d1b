//! Structs as the JSON of clients: written by the definition of the struct, and read from text that nobody trusts.

mod forms;
mod joined;
mod mistakes;
mod names;
mod pages;
mod property;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema_runtime::{
    bson::{Binary, Timestamp},
    prelude::*,
};

/// Each type of a single value, in a struct for each position: alone, in an `Option`, in a list, in a map.
macro_rules! values {
    ($($name:ident: $type:ty,)*) => {
        #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
        #[serde(rename_all = "camelCase")]
        struct Values { $($name: $type,)* }

        #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
        struct Maybes { $($name: Option<$type>,)* }

        #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
        struct Lists { $(#[bound(max_items = 3)] $name: Vec<$type>,)* }

        #[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
        struct Maps { $(#[bound(max_items = 3)] $name: BTreeMap<String, $type>,)* }
    };
}

values! {
    object_id: ObjectId,
    text: String,
    letter: char,
    flag: bool,
    byte: i8,
    int: i32,
    long: i64,
    unsigned: u32,
    large: u64,
    double: f64,
    single: f32,
    date: DateTime,
    price: Decimal128,
    uuid: Uuid,
    bytes: Binary,
    clock: Timestamp,
    maker: Ref<Maker>,
    owner: Ref<Owner>,
    sku: Sku,
    language: Language,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 100)]
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
struct Sku(String);

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Language {
    OldNorse,
    Latin,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Body {
    Text { text: String, date: Option<DateTime> },
    Number { text: i64 },
    Whole(Values),
    Nothing,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Beside {
    Reference { maker: Ref<Maker> },
    Nothing,
}

/// A value of unknown form.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Foreign {
    id: ObjectId,
    date: DateTime,
    number: i64,
    large: i64,
    double: f64,
    bytes: Binary,
    inner: Vec<BTreeMap<String, Uuid>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "wholes")]
struct Whole {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    alone: Values,
    #[relation(one_to_one, embed)]
    maybes: Maybes,
    #[relation(one_to_one, embed)]
    lists: Lists,
    #[relation(one_to_one, embed)]
    maps: Maps,
    #[relation(one_to_one, embed)]
    maybe: Option<Values>,
    #[relation(one_to_few, embed, max = 2)]
    several: Vec<Values>,
    #[relation(one_to_few, embed, max = 2)]
    by_name: BTreeMap<String, Values>,
    body: Body,
    #[relation(one_to_few, embed, max = 3)]
    bodies: Vec<Body>,
    beside: Beside,
    #[bound(max_items = 4)]
    set: BTreeSet<i32>,
    #[bound(max_items = 4)]
    hashed: HashMap<String, i64>,
    pair: [i32; 2],
    #[opaque(max_bytes = 1_000)]
    foreign: Foreign,
}

fn maker() -> Ref<Maker> {
    Ref::new(ObjectId::from_bytes([0xcd; 12]))
}

/// Returns a value of each type.
fn values() -> Values {
    Values {
        object_id: ObjectId::from_bytes([0xab; 12]),
        text: "Zürich \"\\\u{1}".to_owned(),
        letter: 'é',
        flag: true,
        byte: -8,
        int: 7,
        long: 9_007_199_254_740_993,
        unsigned: 4_294_967_295,
        large: i64::MAX as u64,
        double: 0.1,
        single: 0.1,
        date: DateTime::from_millis(1_709_209_800_120),
        price: "12.50".parse().unwrap(),
        uuid: Uuid::from_bytes([0x5c; 16]),
        bytes: Binary { subtype: schema_runtime::bson::spec::BinarySubtype::Generic, bytes: vec![255, 0, 1] },
        clock: Timestamp { time: 5, increment: 6 },
        maker: maker(),
        owner: Ref::new("ada"),
        sku: Sku("x-1".to_owned()),
        language: Language::OldNorse,
    }
}
