//! The models, the results and the documents.
#![allow(dead_code, reason = "the bench decodes each field of a result, and sums the numbers")]

use schema_runtime::prelude::*;

/// The number of orders.
const ORDERS: i64 = 60_000;
/// The number of customers.
const CUSTOMERS: i64 = 500;
/// The groups of the large collection, and the documents of each group.
const GROUPS: i64 = 1_000;
const IN_EACH: i64 = 1_000;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "customers")]
#[inverse(orders = Order::customer, on_delete = restrict)]
pub(crate) struct Customer {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders", allow(unused_index, reason = "a pair reads by the index"))]
#[query(since(gte(placed)), aggregate = Month)]
pub(crate) struct Order {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(placed))]
    pub(crate) customer: Ref<Customer>,
    pub(crate) status: String,
    pub(crate) total: i64,
    pub(crate) discount: Option<i64>,
    pub(crate) placed: DateTime,
    #[relation(one_to_few, embed, max = 5)]
    pub(crate) lines: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) sku: String,
    pub(crate) price: i64,
    pub(crate) qty: i32,
}

/// A document of the large collection, without an index of the order.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "points")]
pub(crate) struct Point {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    pub(crate) player: i64,
    pub(crate) points: i64,
}

#[derive(Projection, Deserialize)]
#[projection(of = Point)]
pub(crate) struct Score {
    pub(crate) points: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Point, by(player))]
pub(crate) struct Best {
    pub(crate) player: i64,
    #[top(3, order = desc(points))]
    pub(crate) best: Vec<Score>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status))]
pub(crate) struct Numbers {
    pub(crate) status: String,
    #[count]
    pub(crate) orders: i64,
    #[sum(total)]
    pub(crate) revenue: i64,
    #[avg(total)]
    pub(crate) mean: f64,
    #[min(total)]
    pub(crate) least: i64,
    #[max(total)]
    pub(crate) most: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(status))]
pub(crate) struct Conditions {
    pub(crate) status: String,
    #[count(where(gte(total, 5_000)))]
    pub(crate) large: i64,
    #[sum(total - or(discount, 0))]
    pub(crate) net: i64,
    #[any(gte(total, 9_990))]
    pub(crate) any: bool,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(month = month(placed, tz = "Europe/Oslo")))]
pub(crate) struct Month {
    pub(crate) month: DateTime,
    #[sum(total)]
    pub(crate) revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(range = ranges(total, [0, 1_000, 5_000])))]
pub(crate) struct Range {
    pub(crate) range: Option<i64>,
    #[count]
    pub(crate) orders: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, unwind(lines), by(sku = lines.sku))]
pub(crate) struct Sku {
    pub(crate) sku: String,
    #[sum(lines.price * lines.qty)]
    pub(crate) revenue: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer))]
pub(crate) struct CustomerRow {
    pub(crate) customer: Ref<Customer>,
    #[sum(total)]
    pub(crate) revenue: i64,
    #[lookup(customer.name)]
    pub(crate) name: Option<String>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(customer))]
pub(crate) struct Latest {
    pub(crate) customer: Ref<Customer>,
    #[first(total, order = desc(placed))]
    pub(crate) total: i64,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order)]
pub(crate) struct Whole {
    #[count]
    pub(crate) orders: i64,
    #[count_distinct(status, max = 100)]
    pub(crate) statuses: i64,
    #[max(total)]
    pub(crate) most: Option<i64>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Order, by(total))]
pub(crate) struct Total {
    pub(crate) total: i64,
    #[count]
    pub(crate) orders: i64,
}

/// The numbers of the orders of each customer.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Customer)]
pub(crate) struct CustomerNumbers {
    pub(crate) name: String,
    #[count(Order::customer)]
    pub(crate) orders: i64,
    #[sum(Order::customer, total)]
    pub(crate) revenue: i64,
    #[max(Order::customer, total)]
    pub(crate) most: Option<i64>,
}

#[derive(Projection, Deserialize)]
#[projection(of = Order)]
pub(crate) struct OrderLine {
    pub(crate) total: i64,
}

/// The newest orders of each customer.
#[derive(Aggregate, Deserialize)]
#[aggregate(of = Customer)]
pub(crate) struct CustomerNewest {
    pub(crate) name: String,
    #[top(5, of = Order::customer, order = desc(placed))]
    pub(crate) newest: Vec<OrderLine>,
}

pub(crate) struct Data {
    pub(crate) db: Database,
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        schema![Customer, Order, Point].plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applied");
        let customers = (0..CUSTOMERS).map(|id| Customer { id, name: format!("customer {id}") });
        Customer::insert_many(&db, customers.collect::<Vec<_>>()).await.expect("customers");
        let mut rng = fastrand::Rng::with_seed(1);
        let mut order = |id| Order {
            id,
            customer: Ref::new(rng.i64(0..CUSTOMERS)),
            status: ["new", "paid", "sent", "back"][rng.usize(0..4)].to_owned(),
            total: rng.i64(0..10_000),
            discount: rng.bool().then(|| rng.i64(0..100)),
            placed: DateTime::from_millis(1_700_000_000_000 + rng.i64(0..31_536_000) * 1_000),
            lines: (0..rng.usize(0..4)).map(|_| line(&mut rng)).collect(),
        };
        for from in (0..ORDERS).step_by(10_000) {
            let orders: Vec<Order> = (from..from + 10_000).map(&mut order).collect();
            Order::insert_many(&db, &orders).await.expect("orders");
        }
        Data { db }
    }

    /// Stores the large collection.
    pub(crate) async fn store_points(&self) {
        let mut rng = fastrand::Rng::with_seed(2);
        for at in 0..IN_EACH {
            let point = |player| Point { id: at * GROUPS + player, player, points: rng.i64(0..1_000_000) };
            let points: Vec<Point> = (0..GROUPS).map(point).collect();
            Point::insert_many(&self.db, &points).await.expect("points");
        }
    }
}

fn line(rng: &mut fastrand::Rng) -> Line {
    Line { sku: format!("sku {}", rng.u32(0..200)), price: rng.i64(1..1_000), qty: rng.i32(1..9) }
}
