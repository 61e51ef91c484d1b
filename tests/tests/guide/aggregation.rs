//! Aggregations: the numbers of a read, groups, and a pipeline of the program.

use schema_runtime::{prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[index(status)]
struct Order {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 20)]
    status: String,
    total: i64,
}

#[derive(Debug, PartialEq, Aggregate, Deserialize)]
#[aggregate(of = Order, by(status))]
struct ByStatus {
    status: String,
    #[count]
    orders: i64,
    #[sum(total)]
    revenue: i64,
}
// ANCHOR_END: model

// ANCHOR: groups
async fn groups(db: &Database) -> Result<Vec<ByStatus>> {
    let large = Order::aggregate::<ByStatus>().filter(Order::F.total.gte(10));
    large.sort(ByStatus::F.revenue.desc()).limit(10).fetch_all(db).await
}

async fn revenue(db: &Database) -> Result<i64> {
    Order::find(Order::F.status.eq("paid")).sum(db, Order::F.total).await
}
// ANCHOR_END: groups

// ANCHOR: raw
#[derive(Debug, PartialEq, Deserialize)]
struct Quarter {
    count: i64,
}

async fn quarters(db: &Database) -> Result<Vec<Quarter>> {
    let stage = doc! { "$bucketAuto": { "groupBy": "$total", "buckets": 2 } };
    Order::aggregate_raw::<Quarter>(vec![stage]).fetch_all(db).await
}
// ANCHOR_END: raw

#[tokio::test]
async fn orders_in_groups() -> Result<()> {
    let db = database(&schema![Order]).await;
    let orders = [(1, "paid", 10), (2, "paid", 30), (3, "new", 20), (4, "new", 5)];
    let orders = orders.map(|(id, status, total)| Order { id, status: status.to_owned(), total });
    Order::insert_many(&db, &orders).await?;

    let group = |status: &str, orders, revenue| ByStatus { status: status.to_owned(), orders, revenue };
    assert_eq!(groups(&db).await?, [group("paid", 2, 40), group("new", 1, 20)]);
    assert_eq!(revenue(&db).await?, 40);
    assert_eq!(quarters(&db).await?, [Quarter { count: 2 }, Quarter { count: 2 }]);

    let commands = schema_runtime::preview(async { groups(&db).await }).await?;
    assert_shown("guides/aggregation.md", &commands);
    Ok(())
}
