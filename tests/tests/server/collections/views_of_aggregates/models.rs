//! The orders of customers, and the views of the groups of orders.

use schema_runtime::{BoundedVec, Schema, prelude::*};
use schema_tests::database;

use super::super::{applied, is_settled};

/// A source of copies and a parent with a rollup and a slug.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "customers")]
#[inverse(orders = Order::customer)]
pub(super) struct Customer {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[copied_to(Order::customer_name, fan_out = 100)]
    #[bound(max_len = 50)]
    pub(super) name: String,
    #[slug(from = name, max_len = 60)]
    pub(super) slug: String,
    #[computed(count(Order::customer))]
    pub(super) order_count: i64,
    #[version]
    pub(super) version: i64,
}

/// A holder of a copy, a child and a version.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
#[index(state, placed)]
pub(super) struct Order {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    #[relation(one_to_many, parent_ref, inverse = orders)]
    pub(super) customer: Ref<Customer>,
    #[denormalize(from = customer.name)]
    #[bound(max_len = 50)]
    pub(super) customer_name: String,
    pub(super) placed: DateTime,
    pub(super) state: Option<State>,
    pub(super) total: i64,
    #[version]
    pub(super) version: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    New,
    Paid,
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Order)]
pub(super) struct OrderCard {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) total: i64,
}

#[derive(Aggregate, Deserialize, Debug, PartialEq)]
#[aggregate(of = Order, by(customer, month = month(placed, tz = "Europe/Oslo")))]
pub(super) struct CustomerMonth {
    pub(super) customer: Ref<Customer>,
    pub(super) month: DateTime,
    #[count]
    pub(super) orders: i64,
    #[sum(total)]
    pub(super) revenue: i64,
    #[max(placed)]
    pub(super) last: DateTime,
    #[lookup(customer.slug)]
    pub(super) slug: Option<String>,
    #[top(2, order = desc(total))]
    pub(super) best: Vec<OrderCard>,
}

/// A view of groups with two keys, a renamed value, a looked up field and a list of documents.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(
    collection = "sales",
    view(of = Order, aggregate = CustomerMonth, filter(gt(total, 0)), from(turnover = revenue))
)]
#[query(of_customer(customer), order = desc(month), page = 1)]
pub(super) struct Sales {
    #[serde(rename = "_id")]
    pub(super) id: SalesKey,
    pub(super) customer: Ref<Customer>,
    pub(super) month: DateTime,
    pub(super) orders: i64,
    pub(super) turnover: i64,
    pub(super) last: DateTime,
    pub(super) slug: Option<String>,
    pub(super) best: BoundedVec<Best, 2>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct SalesKey {
    pub(super) customer: Ref<Customer>,
    pub(super) month: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct Best {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) total: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Order, by(customer))]
#[expect(dead_code, reason = "only the server computes the fields")]
pub(super) struct OfCustomer {
    customer: Ref<Customer>,
    #[count]
    orders: i64,
    #[first(total, order = desc(placed))]
    newest: i64,
}

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "customer_sales", view(of = Order, aggregate = OfCustomer))]
pub(super) struct CustomerSales {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) orders: i64,
    pub(super) newest: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Order, by(customer))]
#[expect(dead_code, reason = "only the server computes the fields")]
pub(super) struct OrdersOf {
    customer: Ref<Customer>,
    #[count]
    orders: i64,
}

/// An index serves the filter of the view.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "paid", view(of = Order, aggregate = OrdersOf, filter(eq(state, "Paid"))))]
pub(super) struct Paid {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) orders: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = CustomerMonth, by(month))]
#[expect(dead_code, reason = "only the server computes the fields")]
pub(super) struct PerMonth {
    month: DateTime,
    #[avg(revenue)]
    mean: f64,
}

/// A view of groups of groups.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "month_sales", view(of = Order, aggregate = PerMonth))]
pub(super) struct MonthSales {
    #[serde(rename = "_id")]
    pub(super) id: DateTime,
    pub(super) mean: f64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Order, by(state))]
#[expect(dead_code, reason = "only the server computes the fields")]
pub(super) struct OfState {
    state: Option<State>,
    #[count]
    orders: i64,
}

/// A key that may be null is a field of a struct.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "state_sales", view(of = Order, aggregate = OfState))]
pub(super) struct StateSales {
    #[serde(rename = "_id")]
    pub(super) id: StateKey,
    pub(super) orders: i64,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(super) struct StateKey {
    pub(super) state: Option<State>,
}

/// A view of a view of groups.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "large_sales", view(of = Sales, filter(gte(turnover, 40))))]
pub(super) struct LargeSales {
    #[serde(rename = "_id")]
    pub(super) id: SalesKey,
    pub(super) turnover: i64,
}

#[derive(Aggregate, Deserialize, Debug)]
#[aggregate(of = Sales, by(customer))]
#[expect(dead_code, reason = "only the server computes the fields")]
pub(super) struct OfSales {
    customer: Ref<Customer>,
    #[max(turnover)]
    most: i64,
}

/// A view of groups of a view of groups.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "totals", view(of = Sales, aggregate = OfSales))]
pub(super) struct Totals {
    #[serde(rename = "_id")]
    pub(super) id: i64,
    pub(super) most: i64,
}

pub(super) const SCHEMA: Schema =
    schema![Totals, LargeSales, StateSales, MonthSales, Paid, CustomerSales, Sales, Customer, Order];

/// Returns the begin of a month of 2026 in Oslo: in UTC an hour earlier.
pub(super) fn month(number: u8) -> DateTime {
    let begin = DateTime::builder().year(2026).month(number).day(1).build().expect("a date");
    DateTime::from_millis(begin.timestamp_millis() - 3_600_000)
}

/// Returns an order of the tenth day of a month.
pub(super) fn order(id: i64, customer: i64, in_month: u8, total: i64) -> Order {
    let placed = DateTime::from_millis(month(in_month).timestamp_millis() + 9 * 86_400_000);
    let (customer, customer_name) = (Ref::new(customer), String::new());
    Order { id, customer, customer_name, placed, state: Some(State::New), total, version: 0 }
}

/// Returns a database with all views, two customers and five orders.
pub(super) async fn stored() -> Database {
    let db = database().await;
    applied(SCHEMA, &db).await;
    is_settled(SCHEMA, &db).await;
    for (id, name) in [(1, "Ada"), (2, "Tim")] {
        let (name, slug) = (name.to_owned(), String::new());
        Customer::insert(&db, &Customer { id, name, slug, order_count: 0, version: 0 }).await.expect("inserted");
    }
    let paid = Order { state: Some(State::Paid), ..order(2, 1, 1, 20) };
    let unknown = Order { state: None, ..order(4, 2, 1, 7) };
    for order in [order(1, 1, 1, 10), paid, order(3, 1, 2, 40), unknown, order(5, 2, 2, 0)] {
        Order::insert(&db, &order).await.expect("inserted");
    }
    db
}
