//! The models of the tests of aggregations, and random documents.

use mongodb::bson::{Bson, Document, doc};
use rust_decimal::Decimal;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
#[index(total, name = "by_total")]
pub(crate) struct Order {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) status: Status,
    pub(crate) total: i64,
    pub(crate) count: u32,
    pub(crate) weight: f32,
    pub(crate) rate: f64,
    pub(crate) price: Decimal128,
    pub(crate) fee: Decimal,
    pub(crate) cents: Cents,
    pub(crate) discount: Option<i64>,
    pub(crate) share: Option<f64>,
    pub(crate) city: Option<String>,
    pub(crate) placed: DateTime,
    #[relation(one_to_few, embed, max = 5)]
    pub(crate) lines: Vec<Line>,
    #[serde(rename = "home")]
    #[relation(one_to_one, embed)]
    pub(crate) address: Address,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    New,
    Paid,
    SentBack,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cents(pub(crate) f64);

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) sku: String,
    pub(crate) price: i64,
    pub(crate) qty: i32,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct Address {
    #[serde(rename = "postCode")]
    pub(crate) post_code: String,
    pub(crate) floor: Option<i32>,
}

pub(crate) fn order(id: i64) -> Order {
    Order {
        id,
        status: Status::New,
        total: 10 * id,
        count: 1,
        weight: 0.5,
        rate: 0.25,
        price: "1.50".parse().unwrap(),
        fee: Decimal::new(25, 2),
        cents: Cents(0.5),
        discount: None,
        share: None,
        city: None,
        placed: DateTime::from_millis(0),
        lines: Vec::new(),
        address: Address { post_code: "0150".to_owned(), floor: None },
    }
}

/// Returns a random order. Each choice has few values, so that groups have several documents.
pub(crate) fn random(random: &mut fastrand::Rng, id: i64) -> Order {
    let lines = (0..random.usize(0..4)).map(|_| Line {
        sku: ["bolt", "nut", "Nut"][random.usize(0..3)].to_owned(),
        price: random.i64(-3..200),
        qty: random.i32(0..9),
    });
    let lines = lines.collect();
    Order {
        id,
        status: [Status::New, Status::Paid, Status::SentBack][random.usize(0..3)],
        total: random.i64(-50..2_000),
        count: random.u32(0..5),
        weight: f32::from(random.i16(-9..9)) / 4.0,
        rate: f64::from(random.i32(-100..100)) / 8.0,
        price: format!("{}.{:02}", random.i32(0..50), random.u32(0..100)).parse().unwrap(),
        fee: Decimal::new(random.i64(-500..500), 2),
        cents: Cents(f64::from(random.i32(0..100)) / 2.0),
        discount: random.bool().then(|| random.i64(-5..5)),
        share: random.bool().then(|| f64::from(random.i32(-8..8)) / 4.0),
        city: [None, Some("Oslo".to_owned()), Some("Bergen".to_owned()), Some(String::new())][random.usize(0..4)]
            .clone(),
        placed: DateTime::from_millis(1_600_000_000_000 + random.i64(0..100_000_000) * 1_000),
        lines,
        address: Address {
            post_code: format!("{:04}", random.u32(0..3)),
            floor: random.bool().then(|| random.i32(-1..3)),
        },
    }
}

/// Stores random orders. Some of the nulls are absent in the stored documents.
pub(crate) async fn fill(db: &Database, seed: u64, count: i64) -> Vec<Order> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let orders: Vec<Order> = (0..count).map(|id| random(&mut rng, id)).collect();
    Order::insert_many(db, &orders).await.unwrap();
    let raw = db.collection::<Document>("orders");
    for path in ["discount", "share", "city", "home.floor"] {
        let some: Vec<Bson> = (0..count).filter(|_| rng.bool()).map(Bson::from).collect();
        let filter = doc! { "_id": { "$in": some }, path: null };
        raw.update_many(filter, doc! { "$unset": { path: "" } }).await.unwrap();
    }
    orders
}
