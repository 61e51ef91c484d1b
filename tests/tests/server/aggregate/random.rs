//! Random aggregations of random documents, with indexes of each kind. The groups of the server are the groups that
//! Rust makes. The documents have nulls, absent fields, empty arrays, NaN, decimals, and dates around the changes of
//! the clocks.

mod definitions;
mod documents;
mod model;

use std::collections::BTreeMap;

use fastrand::Rng;
use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc};
use rust_decimal::Decimal;
use schema_runtime::{aggregate::stages_of, definition::Groups};
use schema_tests::{database, scale::RANDOM_AGGREGATES};

use self::{
    definitions::Case,
    documents::{Thing, Value, indexes, thing},
    model::{Expected, Grouped, grouped, rows_of, text},
};

/// The number of aggregations of the same documents.
const OF_DOCUMENTS: u32 = 10;

/// A condition on a row.
type Condition = fn(&documents::Row) -> bool;

/// The condition on the documents, in the words of the server and of Rust.
fn filters() -> [(Document, Condition); 5] {
    [
        (doc! {}, |_| true),
        (doc! { "kind": "b" }, |row| matches!(&row["kind"], Value::Text(kind) if kind == "b")),
        (doc! { "qty": { "$gt": 2 } }, |row| row["quantity"].number() > 2.0),
        (doc! { "town": null }, |row| row["city"].is_null()),
        (doc! { "qty": { "$lt": -50 } }, |_| false),
    ]
}

#[tokio::test]
async fn random_aggregations_are_the_groups_of_the_values_in_rust() {
    let db = database().await;
    let mut groups = 0;
    for part in 0..RANDOM_AGGREGATES.now().div_ceil(OF_DOCUMENTS) {
        let mut rng = Rng::with_seed(u64::from(part));
        let things: Vec<Thing> = (0..rng.i64(0..80)).map(|id| thing(id, &mut rng)).collect();
        let collection = db.collection::<Document>("things");
        collection.drop().await.expect("dropped");
        if !things.is_empty() {
            let stored: Vec<Document> = things.iter().map(|thing| thing.stored(&mut rng)).collect();
            collection.insert_many(stored).await.expect("inserted");
        }
        let indexes = indexes(&mut rng);
        for index in &indexes {
            // Two of the indexes may be equal.
            let _ = db.run_command(doc! { "createIndexes": "things", "indexes": [index.clone()] }).await;
        }
        for number in 0..OF_DOCUMENTS {
            let case = Case::random(&mut rng);
            let zone = ["UTC", "Europe/Oslo", "America/New_York", "America/Sao_Paulo"][rng.usize(0..4)];
            let (filter, is_kept) = filters()[rng.usize(0..5)].clone();
            let rows: Vec<_> = things.iter().flat_map(|thing| thing.rows(case.unwind)).filter(is_kept).collect();
            let expected = match case.inner {
                None => grouped(case.level.groups, &rows, zone, None),
                Some(inner) => {
                    let rows = rows_of(inner.groups, &grouped(inner.groups, &rows, zone, None));
                    grouped(case.level.groups, &rows, zone, Some(inner.groups))
                }
            };
            let stages = stages_of(case.choose(), filter, zone);
            let found = collection.aggregate(stages.clone()).await.expect("a cursor");
            let found: Vec<Document> = found.try_collect().await.expect("the groups");
            groups += found.len();
            if let Err(why) = compare(case.level.groups, &found, &expected) {
                panic!("part {part}, number {number}: {why}\nindexes: {indexes:?}\n{case:?}\n{stages:?}");
            }
        }
    }
    assert!(groups > RANDOM_AGGREGATES.now() as usize, "{groups} groups");
    db.drop().await.expect("dropped");
}

/// Compares the groups of the server with the groups of Rust.
fn compare(groups: &Groups, found: &[Document], expected: &Grouped) -> Result<(), String> {
    let mut left: BTreeMap<&String, _> = expected.iter().collect();
    for row in found {
        let of = |field: usize| row.get(groups.fields[field].name).unwrap_or(&Bson::Null);
        let keys: Vec<Value> = groups.definition.keys.iter().map(|key| value(of(key.field))).collect();
        let Some((_, values)) = left.remove(&text(&keys)) else { return Err(format!("an unknown group: {row}")) };
        for (definition, expected) in groups.definition.values.iter().zip(values) {
            if !is_expected(of(definition.field), expected) {
                return Err(format!("{:?}: {} and not {expected:?} in {row}", definition.kind, of(definition.field)));
            }
        }
    }
    if left.is_empty() { Ok(()) } else { Err(format!("lost groups: {:?}", left.keys())) }
}

fn is_expected(found: &Bson, expected: &Expected) -> bool {
    match expected {
        Expected::Exact(expected) => is_same(&value(found), expected),
        Expected::Near(None) => *found == Bson::Null,
        Expected::Near(Some(expected)) => {
            let found = value(found);
            let (is_number, found) = (!found.is_null(), found.number());
            let near = (found - expected).abs() <= 1e-9 * found.abs().max(expected.abs()).max(1.0);
            is_number && (near || found.is_nan() && expected.is_nan())
        }
        Expected::OneOf(values) => values.iter().any(|expected| is_same(&value(found), expected)),
        Expected::Some(count, pool) => {
            let mut pool = pool.clone();
            let found = found.as_array().expect("an array");
            found.len() == *count
                && found.iter().map(value).all(|found| {
                    let at = pool.iter().position(|value| is_same(&found, value));
                    at.map(|at| pool.swap_remove(at)).is_some()
                })
        }
        Expected::Rows(rows) => {
            let found = found.as_array().expect("an array");
            let is_row = |(found, row): (&Bson, &Vec<(&str, Value)>)| {
                let found = found.as_document().expect("a document");
                row.iter().all(|(name, expected)| is_same(&value(found.get(name).unwrap_or(&Bson::Null)), expected))
            };
            found.len() == rows.len() && found.iter().zip(rows).all(is_row)
        }
    }
}

/// Returns whether two values are equal to the server. NaN is equal to NaN.
fn is_same(found: &Value, expected: &Value) -> bool {
    found.is_null() == expected.is_null() && found.compare(expected).is_eq()
}

fn value(found: &Bson) -> Value {
    match found {
        Bson::Null => Value::Null,
        Bson::Boolean(value) => Value::Bool(*value),
        Bson::Int32(value) => Value::Integer(i64::from(*value)),
        Bson::Int64(value) => Value::Integer(*value),
        Bson::Double(value) => Value::Double(*value),
        Bson::Decimal128(value) => {
            let text = value.to_string();
            let parsed = Decimal::from_scientific(&text).or_else(|_| text.parse());
            Value::Decimal(parsed.unwrap_or_else(|error| panic!("{text}: {error}")))
        }
        Bson::String(value) => Value::Text(value.clone()),
        Bson::DateTime(date) => Value::Date(date.timestamp_millis()),
        other => panic!("{other:?}"),
    }
}
