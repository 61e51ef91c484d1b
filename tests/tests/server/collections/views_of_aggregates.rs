//! Views of the groups of an aggregation, and renamed fields of views.

mod beside;
mod models;
mod plans;
mod renamed;

use models::*;
use mongodb::bson::Document;
use schema_runtime::{Error, prelude::*, transaction};
use schema_tests::{database, server};

use super::*;
use crate::python::Program;

const PROGRAM: &str = include_str!("views_of_aggregates.py");

/// Returns all sales, in the order of the customer and the month.
async fn all_sales(db: &Database) -> Vec<Sales> {
    let mut sales = Sales::find(Filter::all()).fetch_all(db).await.expect("read");
    sales.sort_by_key(|row| (*row.customer.id(), row.month));
    sales
}

#[tokio::test]
async fn a_view_shows_the_groups_of_the_documents_that_meet_the_filter() {
    let db = stored().await;
    let sales = all_sales(&db).await;
    let shown: Vec<_> = sales.iter().map(|row| (*row.customer.id(), row.month, row.orders, row.turnover)).collect();
    assert_eq!(shown, [(1, month(1), 2, 30), (1, month(2), 1, 40), (2, month(1), 1, 7)]);
    let first = &sales[0];
    assert_eq!(first.id, SalesKey { customer: Ref::new(1), month: month(1) });
    assert_eq!(first.slug.as_deref(), Some("ada"));
    assert_eq!(*first.best, [Best { id: 2, total: 20 }, Best { id: 1, total: 10 }]);

    // The numbers are the numbers of the aggregation.
    let f = CustomerMonth::F;
    let groups = Order::aggregate::<CustomerMonth>().filter(Order::F.total.gt(0));
    let groups = groups.sort([f.customer.asc(), f.month.asc()]).fetch_all(&db).await.expect("groups");
    let expected: Vec<_> = groups.iter().map(|row| (*row.customer.id(), row.month, row.orders, row.revenue)).collect();
    assert_eq!(shown, expected);
    assert!(groups.iter().zip(&sales).all(|(group, row)| group.last == row.last && group.best.len() == row.best.len()));
}

#[tokio::test]
async fn a_view_of_groups_is_read_as_a_model() {
    let db = stored().await;
    let key = SalesKey { customer: Ref::new(1), month: month(2) };
    assert_eq!(Sales::get_by_id(&db, &key).await.expect("read").turnover, 40);
    let missing = SalesKey { customer: Ref::new(9), month: month(2) };
    assert!(matches!(Sales::get_by_id(&db, &missing).await, Err(Error::NotFound { .. })));
    assert_eq!(Sales::find(Sales::F.turnover.gte(30)).count(&db).await.expect("counted"), 2);
    let customers = Sales::find(Filter::all()).distinct(&db, Sales::F.customer).await.expect("read");
    assert_eq!(customers.len(), 2);
    let turnover = Sales::find(Filter::all()).sum(&db, Sales::F.turnover).await.expect("a sum");
    assert_eq!(turnover, 77);

    // A declared query in pages, and pages in the order of the `_id`.
    let first = Sales::of_customer(Ref::new(1)).fetch(&db).await.expect("a page");
    assert_eq!(first.items[0].month, month(2));
    let next = first.next.expect("a further page");
    let second = Sales::of_customer(Ref::new(1)).after(&next).fetch(&db).await.expect("a page");
    assert_eq!((second.items[0].month, second.next), (month(1), None));
    let pages = || Sales::find(Filter::all()).paginate(2);
    let first = pages().fetch(&db).await.expect("a page");
    let second = pages().after(&first.next.expect("a further page")).fetch(&db).await.expect("a page");
    assert_eq!((first.items.len(), second.items[0].turnover), (2, 7));

    let read = transaction(&db, |tx| async move {
        Order::insert(&tx, &order(9, 2, 2, 5)).await?;
        Sales::find(Sales::F.customer.eq(Ref::new(2))).count(&tx).await
    });
    assert_eq!(read.await.expect("a transaction reads its own writes"), 2);
}

#[tokio::test]
async fn single_keys_optional_keys_and_groups_of_groups() {
    let db = stored().await;
    let customers = CustomerSales::find(Filter::all()).sort(CustomerSales::F.id.asc()).fetch_all(&db).await;
    let customers: Vec<_> = customers.expect("read").iter().map(|row| (row.id, row.orders, row.newest)).collect();
    assert_eq!(customers, [(1, 3, 40), (2, 2, 0)]);
    let months = MonthSales::find(Filter::all()).sort(MonthSales::F.id.asc()).fetch_all(&db).await.expect("read");
    let months: Vec<_> = months.iter().map(|row| (row.id, row.mean)).collect();
    assert_eq!(months, [(month(1), 18.5), (month(2), 20.0)]);
    let states = StateSales::find(Filter::all()).fetch_all(&db).await.expect("read");
    let states: Vec<_> = states.iter().map(|row| (row.id.state, row.orders)).collect();
    assert_eq!(states.len(), 3);
    for state in [(None, 1), (Some(State::New), 3), (Some(State::Paid), 1)] {
        assert!(states.contains(&state), "{states:?}");
    }
    let none = StateKey { state: None };
    assert_eq!(StateSales::get_by_id(&db, &none).await.expect("read").orders, 1);
    // A view of a view of groups, and groups of a view of groups.
    let large = LargeSales::find(Filter::all()).fetch_all(&db).await.expect("read");
    assert_eq!(large.iter().map(|row| row.turnover).collect::<Vec<_>>(), [40]);
    let totals = Totals::find(Filter::all()).sort(Totals::F.id.asc()).fetch_all(&db).await.expect("read");
    assert_eq!(totals.iter().map(|row| (row.id, row.most)).collect::<Vec<_>>(), [(1, 40), (2, 7)]);
}

/// `pymongo` reads the view, and computes the same numbers from the orders.
#[tokio::test]
async fn python_finds_the_same_numbers() {
    let db = stored().await;
    let sales = all_sales(&db).await;
    let mut python = Program::start(PROGRAM, &[server().await.uri(), db.name()]);
    for row in &sales {
        let begin = row.month.timestamp_millis();
        let expected = format!("{} {begin} {} {}", row.customer.id(), row.orders, row.turnover);
        assert_eq!(python.line(), expected);
    }
    assert_eq!(python.line(), "end");
}

/// A sum over 64 bits is no integer of the server, and the read has an error.
#[tokio::test]
async fn a_sum_over_64_bits_is_an_error() {
    let db = stored().await;
    for id in [20, 21] {
        Order::insert(&db, &order(id, 2, 3, i64::MAX)).await.expect("inserted");
    }
    let key = SalesKey { customer: Ref::new(2), month: month(3) };
    let read = Sales::get_by_id(&db, &key).await;
    assert!(matches!(read, Err(Error::Decode { .. })), "{read:?}");
}

/// The filter of the view is the first stage, and an index serves the filter.
#[tokio::test]
async fn an_index_of_the_source_serves_the_filter() {
    let db = stored().await;
    let explained =
        db.run_command(doc! { "explain": { "find": "paid", "filter": {} } }).await.expect("explained").to_string();
    assert!(explained.contains("state_1_placed_1") && !explained.contains("COLLSCAN"), "{explained}");
    let paid = Paid::find(Filter::all()).fetch_all(&db).await.expect("read");
    assert_eq!(paid.iter().map(|row| (row.id, row.orders)).collect::<Vec<_>>(), [(1, 1)]);
    let raw = db.collection::<Document>("paid").find_one(doc! {}).await.expect("read").expect("a document");
    assert_eq!(raw, doc! { "_id": 1_i64, "orders": 1 });
}
