//! Comparisons of two fields of a document: random documents, with nulls, absent fields, NaN and values of other types,
//! against a comparison in Rust.

use std::cmp::Ordering;

use mongodb::bson::{Bson, Document, doc, oid::ObjectId};
use schema_runtime::prelude::*;
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "pairs")]
struct Pair {
    #[serde(rename = "_id")]
    id: i64,
    whole: Option<i64>,
    half: Option<f64>,
    name: Option<String>,
    alias: Option<String>,
    begin: DateTime,
    end: DateTime,
    first: ObjectId,
    second: Option<Uuid>,
    #[relation(one_to_one, embed)]
    inner: Option<Inner>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Inner {
    small: i8,
    state: State,
    other: State,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug)]
enum State {
    New,
    Old,
}

/// Returns a random stored value; `None` for an absent field.
fn random() -> Option<Bson> {
    let text = ["", "a", "b", "$name", "aa"];
    match fastrand::u8(0..12) {
        0 => None,
        1 => Some(Bson::Null),
        2 => Some(Bson::Double(f64::NAN)),
        3 => Some(Bson::Int32(fastrand::i32(-2..=2))),
        4 => Some(Bson::Int64(i64::MAX - fastrand::i64(0..=1))),
        5 => Some(Bson::Double(fastrand::i32(-4..=4).into())),
        6 => Some(Bson::Double(i64::MAX as f64)),
        7 | 8 => Some(Bson::String(text[fastrand::usize(0..5)].to_owned())),
        9 => Some(Bson::DateTime(DateTime::from_millis(fastrand::i64(0..=2)))),
        10 => Some(Bson::Array(vec![1.into(), Bson::from("a")])),
        _ => Some(Bson::Double(fastrand::f64())),
    }
}

/// Returns the order of two stored values, as a filter with a value would compare; `None` for values without an order.
/// The second value is false where no comparison holds.
fn order(left: &Bson, right: &Bson) -> Option<(Option<Ordering>, bool)> {
    let number = |value: &Bson| match value {
        Bson::Int32(number) => Some((i128::from(*number), 0.0)),
        Bson::Int64(number) => Some((i128::from(*number), 0.0)),
        Bson::Double(number) if number.is_nan() => Some((0, f64::NAN)),
        Bson::Double(number) => Some((number.floor() as i128, number - number.floor())),
        _ => None,
    };
    if let (Some((left, left_part)), Some((right, right_part))) = (number(left), number(right)) {
        return Some(match (left_part.is_nan(), right_part.is_nan()) {
            (true, true) => (Some(Ordering::Equal), true),
            (true, false) | (false, true) => (None, true),
            _ => (left.cmp(&right).then(left_part.partial_cmp(&right_part).unwrap()).into(), true),
        });
    }
    match (left, right) {
        (Bson::String(left), Bson::String(right)) => Some((Some(left.cmp(right)), true)),
        (Bson::DateTime(left), Bson::DateTime(right)) => Some((Some(left.cmp(right)), true)),
        _ => None,
    }
}

fn is_number(value: &Bson) -> bool {
    matches!(value, Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_))
}

#[tokio::test]
async fn random_documents_compare_as_in_rust() {
    let db = database().await;
    let raw = db.collection::<Document>("pairs");
    let mut documents = Vec::new();
    for id in 0..1_000_i64 {
        let mut document = doc! { "_id": id };
        for name in ["whole", "half", "name", "alias", "begin", "end"] {
            document.extend(random().map(|value| (name.to_owned(), value)));
        }
        documents.push(document);
    }
    raw.insert_many(&documents).await.unwrap();
    let f = Pair::F;
    let check = async |filter: Filter<Pair>, left: &str, right: &str, holds: &dyn Fn(&Bson, &Bson) -> bool| {
        let mut found: Vec<i64> = raw
            .distinct("_id", filter.clone().into_document().unwrap())
            .await
            .unwrap()
            .iter()
            .map(|id| id.as_i64().unwrap())
            .collect();
        found.sort_unstable();
        let expected: Vec<i64> = documents
            .iter()
            .filter(|document| match (document.get(left), document.get(right)) {
                (Some(left), Some(right)) => holds(left, right),
                _ => false,
            })
            .map(|document| document.get_i64("_id").unwrap())
            .collect();
        assert_eq!(found, expected, "{filter:?} of {left} and {right}");
        let others = raw.count_documents((!filter).into_document().unwrap()).await.unwrap();
        assert_eq!(others, documents.len() as u64 - expected.len() as u64, "the negation has all other documents");
    };
    type Holds = fn(Option<Ordering>) -> bool;
    let numbers: [(Filter<Pair>, Holds); 6] = [
        (f.whole.eq_field(f.half), |order| order == Some(Ordering::Equal)),
        (f.whole.ne_field(f.half), |order| order != Some(Ordering::Equal)),
        (f.whole.gt_field(f.half), |order| order == Some(Ordering::Greater)),
        (f.whole.gte_field(f.half), |order| matches!(order, Some(Ordering::Greater | Ordering::Equal))),
        (f.whole.lt_field(f.half), |order| order == Some(Ordering::Less)),
        (f.whole.lte_field(f.half), |order| matches!(order, Some(Ordering::Less | Ordering::Equal))),
    ];
    for (filter, holds) in numbers {
        let of_numbers = |left: &Bson, right: &Bson| {
            is_number(left) && is_number(right) && order(left, right).is_some_and(|(order, _)| holds(order))
        };
        check(filter, "whole", "half", &of_numbers).await;
    }
    let texts: [(Filter<Pair>, Holds); 3] = [
        (f.name.eq_field(f.alias), |order| order == Some(Ordering::Equal)),
        (f.name.ne_field(f.alias), |order| order != Some(Ordering::Equal)),
        (f.name.lt_field(f.alias), |order| order == Some(Ordering::Less)),
    ];
    for (filter, holds) in texts {
        let of_texts = |left: &Bson, right: &Bson| {
            matches!((left, right), (Bson::String(_), Bson::String(_)))
                && order(left, right).is_some_and(|(order, _)| holds(order))
        };
        check(filter, "name", "alias", &of_texts).await;
    }
    let dates = |left: &Bson, right: &Bson| match (left, right) {
        (Bson::DateTime(left), Bson::DateTime(right)) => left >= right,
        _ => false,
    };
    check(f.begin.gte_field(f.end), "begin", "end", &dates).await;
}

#[tokio::test]
async fn beside_other_conditions_and_inside_of_structs() {
    let db = database().await;
    let pair = |id: i64, whole: i64, inner: Option<Inner>| Pair {
        id,
        whole: Some(whole),
        half: Some(1.5),
        name: None,
        alias: None,
        begin: DateTime::from_millis(1),
        end: DateTime::from_millis(2),
        first: ObjectId::new(),
        second: Some(Uuid::new()),
        inner,
    };
    let inner = |small: i8, other: State| Some(Inner { small, state: State::New, other });
    let all = [pair(1, 1, inner(3, State::New)), pair(2, 5, inner(3, State::Old)), pair(3, 7, None)];
    Pair::insert_many(&db, &all).await.unwrap();
    let f = Pair::F;
    let ids = async |filter: Filter<Pair>| -> Vec<i64> {
        let found = Pair::find(filter).sort(f.id.asc()).fetch_all(&db).await.unwrap();
        found.into_iter().map(|pair| pair.id).collect()
    };
    assert_eq!(ids(f.whole.gt_field(f.half) & f.begin.lt_field(f.end)).await, [2, 3]);
    assert_eq!(ids(f.whole.gt_field(f.half) & f.id.lt(3)).await, [2]);
    assert_eq!(ids(f.whole.lt_field(f.half) | f.whole.gt_field(f.id) & f.id.gt(2)).await, [1, 3]);
    assert_eq!(ids(f.inner.small.gt_field(f.whole)).await, [1]);
    assert_eq!(ids(f.inner.state.eq_field(f.inner.other)).await, [1]);
    assert_eq!(ids(f.inner.state.ne_field(f.inner.other)).await, [2]);
    assert_eq!(ids(f.first.ne_field(f.second)).await, [0_i64; 0], "an id and a UUID are of two types");
    let many = Pair::update_many(f.whole.gt_field(f.half)).set(f.name, "more").execute(&db).await.unwrap();
    assert_eq!(many.matched, 2);
    Pair::update_by_id(1).only_if(f.whole.lt_field(f.half)).inc(f.inner.small, 1).execute(&db).await.unwrap();
    assert_eq!(Pair::delete_many(&db, f.id.lt_field(f.whole) & f.id.gt(1)).await.unwrap(), 2);
}
