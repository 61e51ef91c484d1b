//! Documents, and the JSON of documents, beside a second reader and writer: Python with `pymongo`. Python makes random
//! values of each type in each position, stores the values, and writes the JSON by rules of its own. This crate reads
//! the documents and the JSON, writes both again, and Python compares the result.

mod kinds;

use std::{collections::BTreeMap, net::IpAddr, time::SystemTime};

use chrono::{NaiveDate, Utc};
use rust_decimal::Decimal;
use schema_runtime::{
    bson::{Binary, Timestamp},
    json,
    prelude::*,
};
use schema_tests::{database, server};
use serde_json::Value;
use time::OffsetDateTime;
use url::Url;

use crate::python::Program;

/// The program, and the number of documents.
const PROGRAM: &str = include_str!("pymongo/samples.py");
const DOCUMENTS: usize = 60;

/// Each type of a single value, in a struct for each position: alone, in an `Option`, in a list, in a map.
macro_rules! values {
    ($($(#[$bound:meta])? $name:ident: $type:ty,)*) => {
        #[derive(Embed, Serialize, Deserialize, Clone, Debug)]
        struct Alone { $($(#[$bound])? $name: $type,)* }

        #[derive(Embed, Serialize, Deserialize, Clone, Debug)]
        struct Optional { $($(#[$bound])? $name: Option<$type>,)* }

        #[derive(Embed, Serialize, Deserialize, Clone, Debug)]
        struct Lists { $(#[bound(max_items = 3)] $name: Vec<$type>,)* }

        #[derive(Embed, Serialize, Deserialize, Clone, Debug)]
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
    language: Language,
    owner: Ref<Sample>,
    chrono_time: chrono::DateTime<Utc>,
    chrono_day: NaiveDate,
    jiff_time: jiff::Timestamp,
    jiff_day: jiff::civil::Date,
    time_time: OffsetDateTime,
    system: SystemTime,
    other_uuid: uuid::Uuid,
    decimal: Decimal,
    address: IpAddr,
    #[bound(max_len = 60)]
    link: Url,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
enum Language {
    OldNorse,
    Latin,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Body {
    Text {
        text: String,
        date: Option<DateTime>,
    },
    Number {
        text: i64,
    },
    Values {
        date: DateTime,
        price: Decimal128,
        uuid: Uuid,
        bytes: Binary,
        single: f32,
        owner: Ref<Sample>,
        chrono_day: NaiveDate,
        jiff_time: jiff::Timestamp,
        time_time: OffsetDateTime,
        other_uuid: uuid::Uuid,
        decimal: Decimal,
        #[bound(max_len = 60)]
        link: Url,
    },
    Nothing,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "samples")]
pub(crate) struct Sample {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_one, embed)]
    alone: Alone,
    #[relation(one_to_one, embed)]
    optional: Optional,
    #[relation(one_to_one, embed)]
    lists: Lists,
    #[relation(one_to_one, embed)]
    maps: Maps,
    #[relation(one_to_one, embed)]
    maybe: Option<Alone>,
    #[relation(one_to_few, embed, max = 2)]
    several: Vec<Alone>,
    #[relation(one_to_few, embed, max = 2)]
    by_name: BTreeMap<String, Alone>,
    body: Body,
    #[json(rename = "label")]
    text: String,
    #[serde(rename = "note")]
    remark: String,
    #[json(skip)]
    #[serde(default)]
    hidden: String,
}

/// Returns a new database with the schema of the samples.
async fn prepared() -> Database {
    let db = database().await;
    schema![Sample].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    db
}

/// Returns the path of the first difference of two values, with the values there.
fn first_difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            one.iter().find_map(|(name, value)| Some(format!("{name}.{}", first_difference(value, &other[name])?)))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).find_map(|(value, other)| Some(format!("[].{}", first_difference(value, other)?)))
        }
        _ => (one != other).then(|| format!("{one} is not {other}")),
    }
}

/// Returns JSON texts of random samples, by Python. Each value has the plain form of the manual.
pub(crate) async fn plain_texts() -> Vec<String> {
    let (db, seed) = (database().await, ObjectId::new().to_hex());
    let count = DOCUMENTS.to_string();
    let mut python = Program::start(PROGRAM, &[server().await.uri(), db.name(), &count, &seed, "plain"]);
    (0..DOCUMENTS).map(|_| python.line()).collect()
}

#[tokio::test]
async fn pymongo_and_this_crate_read_each_other() {
    let (source, copied, imported) = (prepared().await, prepared().await, prepared().await);
    let seed = std::env::var("SCHEMA_TESTS_SEED").unwrap_or_else(|_| ObjectId::new().to_hex());
    let count = DOCUMENTS.to_string();
    let mut python = Program::start(PROGRAM, &[server().await.uri(), source.name(), &count, &seed]);
    let texts: Vec<String> = (0..DOCUMENTS).map(|_| python.line()).collect();

    // pymongo has written, and this crate reads.
    let samples = Sample::find(Filter::all()).sort(Sample::F.id.asc()).fetch_all(&source).await.unwrap();
    assert_eq!(samples.len(), DOCUMENTS, "seed {seed}");
    for (sample, text) in samples.iter().zip(&texts) {
        let (written, expected) = (json::to_json(sample).unwrap(), text.parse::<Value>().unwrap());
        assert_eq!(first_difference(&written, &expected), None, "seed {seed}");
    }

    // This crate writes what was read from documents, and what was read from JSON.
    Sample::insert_many(&copied, &samples).await.unwrap();
    let from_json: Vec<Sample> = texts.iter().map(|text| json::from_json(text).unwrap()).collect();
    Sample::insert_many(&imported, &from_json).await.unwrap();
    for (db, has_hidden) in [(&copied, "True"), (&imported, "False")] {
        python.send(&format!("{} {has_hidden}", db.name()));
        assert_eq!(python.line(), "equal", "seed {seed}");
    }
}
