//! Declared queries over partial indexes: the query sends the filter of the index, and the server uses the index.

// Two indexes may have words in common.
#![allow(clippy::duplicated_attributes)]

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{
    assert_indexed, assert_queries_indexed, check_indexed, explain::Explain, explain::ReadProblem, prelude::*,
};
use schema_tests::{CommandLog, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
#[index(customer, desc(number), desc(id), name = "open", partial(eq(state, "open")))]
#[index(state, customer, name = "late", partial(eq(state, "late"), gt(days, 0)))]
#[index(desc(number), partial(exists(note)), name = "noted")]
#[query(open_of(customer), order = desc(number), hint = "open")]
#[query(open_pages(customer), order = desc(number), page = 2, hint = "open")]
#[query(late_of(customer), hint = "late")]
#[query(noted, order = desc(number), limit = 2, hint = "noted")]
#[query(of_customer(customer))]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    customer: i64,
    number: i64,
    state: String,
    days: i32,
    note: Option<String>,
}

fn order(id: i64) -> Order {
    let state = if id % 10 == 0 { "open" } else { "closed" };
    let state = if id % 10 == 1 { "late" } else { state };
    let note = (id % 50 == 0).then(|| "a note".to_owned());
    Order { id, customer: id % 3, number: id, state: state.to_owned(), days: (id % 20) as i32, note }
}

async fn orders() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Order::insert_many(&db, (0..600).map(order).collect::<Vec<_>>()).await.unwrap();
    log.clear();
    (db, log)
}

/// Returns the names of the indexes that the server's plan scans.
fn scanned(explained: &Document) -> Vec<String> {
    fn add(value: &Bson, names: &mut Vec<String>) {
        match value {
            Bson::Document(stage) => {
                if stage.get_str("stage").ok() == Some("IXSCAN") {
                    names.push(stage.get_str("indexName").unwrap().to_owned());
                }
                stage.values().for_each(|value| add(value, names));
            }
            Bson::Array(list) => list.iter().for_each(|value| add(value, names)),
            _ => {}
        }
    }
    let mut names = Vec::new();
    add(
        &Bson::from(explained.get_document("queryPlanner").unwrap().get_document("winningPlan").unwrap().clone()),
        &mut names,
    );
    names
}

#[tokio::test]
async fn the_query_sends_the_filter_and_the_server_scans_the_partial_index() {
    let (db, log) = orders().await;
    let open = Order::open_of(1).fetch_all(&db).await.unwrap();
    let mut expected: Vec<Order> = (0..600).map(order).filter(|order| order.customer == 1).collect();
    let of_customer = expected.len();
    expected.retain(|order| order.state == "open");
    expected.reverse();
    assert_eq!(open, expected);
    let sent = log.named("find").remove(0);
    assert_eq!(sent.get_document("filter").unwrap(), &doc! { "customer": 1_i64, "state": { "$eq": "open" } });
    assert_eq!(scanned(&Order::open_of(1).explain(&db).await.unwrap()), ["open"]);
    assert_eq!(scanned(&Order::late_of(1).explain(&db).await.unwrap()), ["late"]);
    assert_eq!(scanned(&Order::noted().explain(&db).await.unwrap()), ["noted"]);
    assert_indexed(&Order::open_of(1), &db).await;
    assert_indexed(&Order::late_of(1), &db).await;
    assert_indexed(&Order::noted(), &db).await;
    let late = Order::late_of(1).fetch_all(&db).await.unwrap();
    assert!(late.iter().all(|order| order.state == "late" && order.days > 0) && !late.is_empty());
    let noted = Order::noted().fetch_all(&db).await.unwrap();
    assert_eq!(noted.iter().map(|order| order.number).collect::<Vec<_>>(), [550, 500]);
    // A query without the hint is about all documents, and has an index over all documents.
    assert_eq!(Order::of_customer(1).fetch_all(&db).await.unwrap().len(), of_customer);
    assert_eq!(scanned(&Order::of_customer(1).explain(&db).await.unwrap()), ["customer_1"]);
}

#[tokio::test]
async fn pages_and_further_conditions_keep_the_filter() {
    let (db, _log) = orders().await;
    let mut numbers = Vec::new();
    let mut page = Order::open_pages(2).fetch(&db).await.unwrap();
    loop {
        numbers.extend(page.items.iter().map(|order| order.number));
        let Some(next) = page.next else { break };
        page = Order::open_pages(2).after(&next).fetch(&db).await.unwrap();
    }
    let mut expected: Vec<i64> = (0..600).filter(|id| id % 3 == 2 && id % 10 == 0).collect();
    expected.reverse();
    assert_eq!(numbers, expected);
    let few = Order::open_of(2).filter(Order::F.number.lt(100)).fetch_all(&db).await.unwrap();
    assert_eq!(few.iter().map(|order| order.number).collect::<Vec<_>>(), [80, 50, 20]);
    assert_eq!(Order::open_of(2).count(&db).await.unwrap(), expected.len() as u64);
}

#[tokio::test]
async fn reviews_and_checks_name_the_partial_index_and_a_read_without_the_filter_scans() {
    let (db, _log) = orders().await;
    assert_queries_indexed(&schema![Order], &db).await;
    let review = schema![Order].review().to_string();
    for (query, index) in [("open_of", "open"), ("late_of", "late"), ("noted", "noted"), ("of_customer", "customer_1")]
    {
        assert!(review.lines().any(|line| line.contains(query) && line.contains(index)), "{query}: {review}");
    }
    // The index of notes does not serve a read that does not repeat the filter.
    let unfiltered = Order::find(Order::F.days.gte(0)).sort(Order::F.number.desc()).limit(2);
    let problems = check_indexed(&unfiltered, &db).await.unwrap();
    assert!(problems.contains(&ReadProblem::CollectionScan), "{problems:?}");
    let filtered = Order::find(Order::F.note.gte("")).sort(Order::F.number.desc()).limit(2);
    assert_eq!(check_indexed(&filtered, &db).await.unwrap(), []);
}

#[tokio::test]
async fn the_query_brings_no_index_of_its_own() {
    let (db, _log) = orders().await;
    let mut indexes: Vec<String> = db.collection::<Document>("orders").list_index_names().await.unwrap();
    indexes.sort();
    assert_eq!(indexes, ["_id_", "customer_1", "late", "noted", "open"]);
    let plan = schema![Order].plan(&db).await.unwrap();
    assert!(plan.is_empty(), "{plan}");
}
