//! The code of a user of the driver: pipelines by hand, read into the same structs.

use futures_util::TryStreamExt;
use schema_runtime::bson::{DateTime, Document, doc};
use serde::de::DeserializeOwned;

use crate::data::{
    Best, Conditions, CustomerNewest, CustomerNumbers, CustomerRow, Data, Latest, Month, Numbers, Range, Sku, Total,
    Whole,
};

async fn rows<T: DeserializeOwned + Send + Sync + Unpin>(
    data: &Data,
    collection: &str,
    pipeline: impl IntoIterator<Item = Document>,
) -> Vec<T> {
    let collection = data.db.collection::<Document>(collection);
    let cursor = collection.aggregate(pipeline).batch_size(1_000_000).with_type::<T>().await.expect("an aggregate");
    cursor.try_collect().await.expect("groups")
}

pub(crate) async fn numbers(data: &Data) -> u64 {
    let group = doc! { "$group": {
        "_id": "$status", "orders": { "$sum": 1 }, "revenue": { "$sum": "$total" }, "mean": { "$avg": "$total" },
        "least": { "$min": "$total" }, "most": { "$max": "$total" },
    } };
    let named = doc! { "$project": {
        "_id": 0, "status": "$_id", "orders": 1, "revenue": 1, "mean": 1, "least": 1, "most": 1,
    } };
    let rows: Vec<Numbers> = rows(data, "orders", [group, named]).await;
    rows.iter().map(|row| row.revenue + row.orders + row.most + row.least + row.mean as i64).sum::<i64>() as u64
}

pub(crate) async fn conditions(data: &Data) -> u64 {
    let group = doc! { "$group": {
        "_id": "$status",
        "large": { "$sum": { "$cond": [{ "$gte": ["$total", 5_000] }, 1, 0] } },
        "net": { "$sum": { "$subtract": ["$total", { "$ifNull": ["$discount", 0] }] } },
        "any": { "$max": { "$gte": ["$total", 9_990] } },
    } };
    let named = doc! { "$project": { "_id": 0, "status": "$_id", "large": 1, "net": 1, "any": 1 } };
    let rows: Vec<Conditions> = rows(data, "orders", [group, named]).await;
    rows.iter().map(|row| row.large + row.net + i64::from(row.any)).sum::<i64>() as u64
}

fn of_months() -> [Document; 2] {
    let month = doc! { "$dateTrunc": { "date": "$placed", "unit": "month", "timezone": "Europe/Oslo" } };
    let group = doc! { "$group": { "_id": month, "revenue": { "$sum": "$total" } } };
    [group, doc! { "$project": { "_id": 0, "month": "$_id", "revenue": 1 } }]
}

pub(crate) async fn months(data: &Data) -> u64 {
    let rows: Vec<Month> = rows(data, "orders", of_months()).await;
    rows.iter().map(|row| row.revenue).sum::<i64>() as u64
}

pub(crate) async fn declared(data: &Data) -> u64 {
    let filter = doc! { "$match": { "placed": { "$gte": DateTime::from_millis(1_729_000_000_000) } } };
    let rows: Vec<Month> = rows(data, "orders", [filter].into_iter().chain(of_months())).await;
    rows.iter().map(|row| row.revenue).sum::<i64>() as u64
}

pub(crate) async fn ranges(data: &Data) -> u64 {
    let branch = |from: i64| doc! { "case": { "$gte": ["$total", from] }, "then": from };
    let key = doc! { "$switch": { "branches": [branch(5_000), branch(1_000), branch(0)], "default": null } };
    let group = doc! { "$group": { "_id": key, "orders": { "$sum": 1 } } };
    let named = doc! { "$project": { "_id": 0, "range": "$_id", "orders": 1 } };
    let rows: Vec<Range> = rows(data, "orders", [group, named]).await;
    rows.iter().map(|row| row.orders * row.range.unwrap_or(0)).sum::<i64>() as u64
}

pub(crate) async fn skus(data: &Data) -> u64 {
    let revenue = doc! { "$sum": { "$multiply": ["$lines.price", "$lines.qty"] } };
    let stages = [
        doc! { "$unwind": "$lines" },
        doc! { "$group": { "_id": "$lines.sku", "revenue": revenue } },
        doc! { "$project": { "_id": 0, "sku": "$_id", "revenue": 1 } },
    ];
    let rows: Vec<Sku> = rows(data, "orders", stages).await;
    rows.iter().map(|row| row.revenue).sum::<i64>() as u64
}

pub(crate) async fn customers(data: &Data) -> u64 {
    let stages = [
        doc! { "$group": { "_id": "$customer", "revenue": { "$sum": "$total" } } },
        doc! { "$sort": { "revenue": -1 } },
        doc! { "$limit": 20 },
        doc! { "$lookup": { "from": "customers", "localField": "_id", "foreignField": "_id", "as": "found" } },
        doc! { "$project": { "_id": 0, "customer": "$_id", "revenue": 1, "name": { "$first": "$found.name" } } },
    ];
    let rows: Vec<CustomerRow> = rows(data, "orders", stages).await;
    rows.iter().map(|row| row.revenue + row.name.as_ref().map_or(0, |name| name.len() as i64)).sum::<i64>() as u64
}

/// All orders of each customer in an array of the server.
fn looked_up() -> Document {
    doc! { "$lookup": { "from": "orders", "localField": "_id", "foreignField": "customer", "as": "all" } }
}

fn numbers_of_all() -> Document {
    doc! { "$project": {
        "_id": 0, "name": 1, "orders": { "$size": "$all" }, "revenue": { "$sum": "$all.total" },
        "most": { "$max": "$all.total" },
    } }
}

pub(crate) async fn children(data: &Data) -> u64 {
    let rows: Vec<CustomerNumbers> = rows(data, "customers", [looked_up(), numbers_of_all()]).await;
    rows.iter().map(|row| row.revenue + row.orders + row.most.unwrap_or(0)).sum::<i64>() as u64
}

pub(crate) async fn busiest(data: &Data) -> u64 {
    let page = [doc! { "$sort": { "revenue": -1 } }, doc! { "$limit": 10 }];
    let rows: Vec<CustomerNumbers> =
        rows(data, "customers", [looked_up(), numbers_of_all()].into_iter().chain(page)).await;
    rows.iter().map(|row| row.revenue + row.orders).sum::<i64>() as u64
}

pub(crate) async fn newest(data: &Data) -> u64 {
    let newest =
        [doc! { "$sort": { "placed": -1, "_id": -1 } }, doc! { "$limit": 5 }, doc! { "$project": { "total": 1 } }];
    let lookup = doc! { "$lookup": {
        "from": "orders", "localField": "_id", "foreignField": "customer", "pipeline": newest.to_vec(), "as": "newest",
    } };
    let rows: Vec<CustomerNewest> = rows(data, "customers", [lookup]).await;
    rows.iter().flat_map(|row| &row.newest).map(|order| order.total).sum::<i64>() as u64
}

pub(crate) async fn latest(data: &Data) -> u64 {
    let stages = [
        doc! { "$sort": { "customer": 1, "placed": -1, "_id": -1 } },
        doc! { "$group": { "_id": "$customer", "total": { "$first": "$total" } } },
        doc! { "$project": { "_id": 0, "customer": "$_id", "total": 1 } },
    ];
    let rows: Vec<Latest> = rows(data, "orders", stages).await;
    rows.iter().map(|row| row.total).sum::<i64>() as u64
}

pub(crate) async fn whole(data: &Data) -> u64 {
    let group = doc! { "$group": {
        "_id": null, "orders": { "$sum": 1 }, "statuses": { "$addToSet": "$status" }, "most": { "$max": "$total" },
    } };
    let named = doc! { "$project": { "_id": 0, "orders": 1, "statuses": { "$size": "$statuses" }, "most": 1 } };
    let row: Whole = rows(data, "orders", [group, named]).await.remove(0);
    (row.orders + row.statuses + row.most.unwrap_or(0)) as u64
}

pub(crate) async fn stream(data: &Data) -> u64 {
    let group = doc! { "$group": { "_id": "$total", "orders": { "$sum": 1 } } };
    let stages = [group, doc! { "$project": { "_id": 0, "total": "$_id", "orders": 1 } }];
    let orders = data.db.collection::<Document>("orders");
    let cursor = orders.aggregate(stages).batch_size(1_000).with_type::<Total>().await.expect("an aggregate");
    let sum = cursor.try_fold(0, |sum, row| async move { Ok(sum + row.total * row.orders) });
    sum.await.expect("groups") as u64
}

async fn best(data: &Data, stages: impl IntoIterator<Item = Document>) -> u64 {
    let rows: Vec<Best> = rows(data, "points", stages).await;
    rows.iter().flat_map(|row| &row.best).map(|score| score.points).sum::<i64>() as u64
}

/// An accumulator of the first documents.
pub(crate) async fn best_by_top(data: &Data) -> u64 {
    let top = doc! { "$topN": { "n": 3, "sortBy": { "points": -1 }, "output": { "points": "$points" } } };
    let group = doc! { "$group": { "_id": "$player", "best": top } };
    best(data, [group, doc! { "$project": { "_id": 0, "player": "$_id", "best": 1 } }]).await
}

/// A sort of all documents, and a part of each list.
pub(crate) async fn best_by_sort(data: &Data) -> u64 {
    let group = doc! { "$group": { "_id": "$player", "best": { "$push": { "points": "$points" } } } };
    let part = doc! { "$project": { "_id": 0, "player": "$_id", "best": { "$slice": ["$best", 3] } } };
    best(data, [doc! { "$sort": { "points": -1 } }, group, part]).await
}

/// The greatest numbers, without an order of documents.
pub(crate) async fn best_by_numbers(data: &Data) -> u64 {
    let numbers = doc! { "$maxN": { "n": 3, "input": "$points" } };
    let group = doc! { "$group": { "_id": "$player", "best": numbers } };
    let each = doc! { "$map": { "input": "$best", "in": { "points": "$$this" } } };
    best(data, [group, doc! { "$project": { "_id": 0, "player": "$_id", "best": each } }]).await
}
