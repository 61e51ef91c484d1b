//! The dashboards of the manual, by this crate and by the code of mongoose that stands on the page.

use std::{fs, process::Command};

use schema_runtime::prelude::*;
use schema_tests::{database, node, server};
use serde_json::{Value, json};

/// The package of npm, in the version that the page is written for.
const PACKAGE: &str = "mongoose@9.12.1";
const PROGRAM: &str = include_str!("mongoose.js");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../guide/pages/guides/aggregation.md");

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: ObjectId,
    status: String,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
    total: i64,
    placed: DateTime,
    #[relation(one_to_few, embed, max = 100)]
    lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Line {
    sku: String,
    price: i64,
    qty: i32,
    discount: Option<i64>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    maker: String,
    price: f64,
    stock: i32,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Order, by(month = month(placed, tz = "Europe/Oslo")))]
struct Month {
    month: DateTime,
    #[count]
    orders: i64,
    #[count(where(gte(total, 100_000)))]
    large: i64,
    #[sum(total)]
    revenue: i64,
    #[avg(total)]
    mean: f64,
}

#[derive(Projection, Deserialize, Debug)]
#[projection(of = Order)]
struct OrderCard {
    total: i64,
    placed: DateTime,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Order, by(customer))]
struct CustomerRow {
    customer: Ref<Customer>,
    #[lookup(customer.name)]
    name: Option<String>,
    #[sum(total)]
    revenue: i64,
    #[max(placed)]
    last: DateTime,
    #[top(3, order = desc(total))]
    best: Vec<OrderCard>,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Order, unwind(lines), by(sku = lines.sku))]
struct Sku {
    sku: String,
    #[sum(lines.price * lines.qty - or(lines.discount, 0))]
    revenue: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Part)]
struct Stock {
    #[count]
    parts: i64,
    #[sum(price * stock)]
    value: f64,
    #[min(price)]
    cheapest: Option<f64>,
    #[std_dev(price)]
    deviation: Option<f64>,
    #[count_distinct(maker, max = 10_000)]
    makers: i64,
    #[any(lte(stock, 0))]
    any_missing: bool,
}

async fn fill(db: &Database) {
    let mut rng = fastrand::Rng::with_seed(9);
    let ids: Vec<ObjectId> = (1..=30_u8).map(|number| ObjectId::from_bytes([number; 12])).collect();
    // The last customers are missing.
    let names = ids.iter().take(25).map(|id| Customer { id: *id, name: format!("Customer {id}") });
    Customer::insert_many(db, names.collect::<Vec<_>>()).await.unwrap();
    let orders = (0..600).map(|number| {
        let lines = (0..rng.usize(0..4)).map(|_| Line {
            sku: format!("sku {}", rng.u8(0..9)),
            price: rng.i64(1..500),
            qty: rng.i32(1..9),
            discount: rng.bool().then(|| rng.i64(0..20)),
        });
        Order {
            lines: lines.collect(),
            id: ObjectId::new(),
            status: ["new", "paid", "sent"][rng.usize(0..3)].to_owned(),
            customer: Ref::new(ids[rng.usize(0..ids.len())]),
            total: rng.i64(1..400) * 1_000 + number,
            placed: DateTime::from_millis(1_600_000_000_000 + rng.i64(0..400) * 86_400_000),
        }
    });
    Order::insert_many(db, orders.collect::<Vec<_>>()).await.unwrap();
    let part = |rng: &mut fastrand::Rng| Part {
        id: ObjectId::new(),
        maker: format!("maker {}", rng.u8(0..6)),
        price: f64::from(rng.u16(1..900)) / 4.0,
        stock: rng.i32(0..50),
    };
    Part::insert_many(db, (0..80).map(|_| part(&mut rng)).collect::<Vec<_>>()).await.unwrap();
}

fn date(of: DateTime) -> String {
    let text = jiff::Timestamp::from_millisecond(of.timestamp_millis()).unwrap();
    format!("{text:.3}")
}

async fn dashboards(db: &Database, from: DateTime) -> Vec<Value> {
    let today = || Order::find(Order::F.placed.gte(from));
    let by_status = today().count_by(db, Order::F.status).await.unwrap();
    let by_status: Vec<Value> =
        by_status.into_iter().map(|(status, count)| json!({ "_id": status, "count": count })).collect();
    let numbers = json!({
        "_id": null,
        "revenue": today().sum(db, Order::F.total).await.unwrap(),
        "mean": today().avg(db, Order::F.total).await.unwrap(),
        "greatest": today().max(db, Order::F.total).await.unwrap(),
        "byStatus": by_status,
    });
    let months = Order::aggregate::<Month>().filter(Order::F.placed.gte(from)).having(Month::F.orders.gte(10));
    let months = months.sort(Month::F.month.asc()).fetch_all(db).await.unwrap().into_iter().map(|row| {
        let Month { month, orders, large, revenue, mean } = row;
        json!({ "month": date(month), "orders": orders, "large": large, "revenue": revenue, "mean": mean })
    });
    let months = months.collect();
    let best = Order::aggregate::<CustomerRow>().sort(CustomerRow::F.revenue.desc()).limit(20);
    let best = best.fetch_all(db).await.unwrap().into_iter().map(|row| {
        let cards = row.best.iter().map(|card| json!({ "total": card.total, "placed": date(card.placed) }));
        let cards: Vec<Value> = cards.collect();
        json!({
            "customer": row.customer.id().to_hex(), "name": row.name, "revenue": row.revenue,
            "last": date(row.last), "best": cards,
        })
    });
    let best = best.collect();
    let products = Order::aggregate::<Sku>().sort(Sku::F.revenue.desc()).limit(50).fetch_all(db).await.unwrap();
    let products = products.into_iter().map(|row| json!({ "sku": row.sku, "revenue": row.revenue })).collect();
    let Stock { parts, value, cheapest, deviation, makers, any_missing } =
        Part::aggregate::<Stock>().fetch_one(db).await.unwrap();
    let stock = json!({
        "_id": null, "parts": parts, "value": value, "cheapest": cheapest, "deviation": deviation, "makers": makers,
        "any_missing": any_missing,
    });
    vec![numbers, Value::Array(months), Value::Array(best), Value::Array(products), stock]
}

/// Compares two values; floats to nine digits.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|other| same(one, other)))
        }
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            (one - other).abs() <= 1e-9 * one.abs().max(1.0)
        }
        (one, other) => one == other,
    }
}

#[tokio::test]
async fn the_code_of_the_page_finds_the_same_numbers() {
    let db = database().await;
    fill(&db).await;
    let from = DateTime::from_millis(1_610_000_000_000);
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("dashboards.js");
    fs::write(&program, PROGRAM).unwrap();
    let (address, options) = server().await.uri().split_once('?').unwrap_or((server().await.uri(), ""));
    let address = format!("{}/{}?{options}", address.trim_end_matches('/'), db.name());
    let modules = node::modules(env!("CARGO_TARGET_TMPDIR"), &[PACKAGE]);
    let mut node = Command::new("node");
    node.env("NODE_PATH", modules).arg(&program).arg(PAGE).arg(address);
    node.arg(from.timestamp_millis().to_string());
    let output = tokio::task::spawn_blocking(move || node.output()).await.unwrap().expect("`node` runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let of_mongoose: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let own = dashboards(&db, from).await;
    assert_eq!(of_mongoose.len(), own.len());
    for (of_mongoose, own) in of_mongoose.iter().zip(&own) {
        assert!(same(of_mongoose, own), "mongoose: {of_mongoose}\nthis crate: {own}");
    }
    assert!(own[1].as_array().unwrap().len() > 5 && own[2].as_array().unwrap().len() == 20);
}
