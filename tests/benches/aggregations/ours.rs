//! The code of a user of this crate.

use schema_runtime::prelude::*;

use crate::data::{
    Best, Conditions, Customer, CustomerNewest, CustomerNumbers, CustomerRow, Data, Latest, Month, Numbers, Order,
    Point, Range, Sku, Total, Whole,
};

pub(crate) async fn numbers(data: &Data) -> u64 {
    let rows = Order::aggregate::<Numbers>().fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.revenue + row.orders + row.most + row.least + row.mean as i64).sum::<i64>() as u64
}

pub(crate) async fn conditions(data: &Data) -> u64 {
    let rows = Order::aggregate::<Conditions>().fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.large + row.net + i64::from(row.any)).sum::<i64>() as u64
}

pub(crate) async fn months(data: &Data) -> u64 {
    let rows = Order::aggregate::<Month>().fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.revenue).sum::<i64>() as u64
}

pub(crate) async fn declared(data: &Data) -> u64 {
    let rows = Order::since(DateTime::from_millis(1_729_000_000_000)).fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.revenue).sum::<i64>() as u64
}

pub(crate) async fn ranges(data: &Data) -> u64 {
    let rows = Order::aggregate::<Range>().fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.orders * row.range.unwrap_or(0)).sum::<i64>() as u64
}

pub(crate) async fn skus(data: &Data) -> u64 {
    let rows = Order::aggregate::<Sku>().fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.revenue).sum::<i64>() as u64
}

pub(crate) async fn customers(data: &Data) -> u64 {
    let rows = Order::aggregate::<CustomerRow>().sort(CustomerRow::F.revenue.desc()).limit(20);
    let rows = rows.fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.revenue + row.name.as_ref().map_or(0, |name| name.len() as i64)).sum::<i64>() as u64
}

pub(crate) async fn children(data: &Data) -> u64 {
    let rows = Customer::aggregate::<CustomerNumbers>().fetch_all(&data.db).await.expect("customers");
    rows.iter().map(|row| row.revenue + row.orders + row.most.unwrap_or(0)).sum::<i64>() as u64
}

pub(crate) async fn busiest(data: &Data) -> u64 {
    let rows = Customer::aggregate::<CustomerNumbers>().sort(CustomerNumbers::F.revenue.desc()).limit(10);
    let rows = rows.fetch_all(&data.db).await.expect("customers");
    rows.iter().map(|row| row.revenue + row.orders).sum::<i64>() as u64
}

pub(crate) async fn newest(data: &Data) -> u64 {
    let rows = Customer::aggregate::<CustomerNewest>().fetch_all(&data.db).await.expect("customers");
    rows.iter().flat_map(|row| &row.newest).map(|order| order.total).sum::<i64>() as u64
}

pub(crate) async fn latest(data: &Data) -> u64 {
    let rows = Order::aggregate::<Latest>().fetch_all(&data.db).await.expect("groups");
    rows.iter().map(|row| row.total).sum::<i64>() as u64
}

pub(crate) async fn whole(data: &Data) -> u64 {
    let row = Order::aggregate::<Whole>().fetch_one(&data.db).await.expect("a group");
    (row.orders + row.statuses + row.most.unwrap_or(0)) as u64
}

pub(crate) async fn stream(data: &Data) -> u64 {
    let mut rows = Order::aggregate::<Total>().stream(&data.db).await.expect("groups");
    let mut sum = 0;
    while let Some(row) = rows.next().await {
        let row = row.expect("a group");
        sum += row.total * row.orders;
    }
    sum as u64
}

pub(crate) async fn best(data: &Data) -> u64 {
    let rows = Point::aggregate::<Best>().fetch_all(&data.db).await.expect("groups");
    rows.iter().flat_map(|row| &row.best).map(|score| score.points).sum::<i64>() as u64
}
