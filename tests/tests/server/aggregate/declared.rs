//! Declared aggregations: a method for each, the index of the filter, the review, and the check of all queries.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    assert_indexed, assert_queries_indexed, check_queries,
    explain::ReadProblem,
    prelude::*,
    review::{IndexAsker, ReviewNote},
    transaction,
};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sales")]
#[query(sales(between(placed)), aggregate = OfShop, per_day = 24)]
#[query(of_shop(shop), aggregate = Total, hint = "by_shop")]
#[query(in_city(city), aggregate = OfShop, case_insensitive)]
#[query(all, aggregate = OfShop)]
#[query(by_customer(customer), order = desc(placed), per_day = 100)]
#[index(shop, name = "by_shop")]
struct Sale {
    #[serde(rename = "_id")]
    id: i64,
    shop: String,
    city: String,
    #[serde(rename = "sum")]
    total: i64,
    placed: DateTime,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
    #[denormalize(from = customer.name)]
    name: String,
    #[denormalize(from = customer.city)]
    home: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(Sale::name)]
    name: String,
    #[changes(seldom)]
    #[copied_to(Sale::home)]
    city: String,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale, by(shop))]
struct OfShop {
    shop: String,
    #[count]
    sales: i64,
    #[sum(total)]
    revenue: i64,
    #[count_distinct(home, max = 100)]
    homes: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale)]
struct Total {
    #[max(total)]
    most: Option<i64>,
}

fn at(day: i64) -> DateTime {
    DateTime::from_millis(day * 86_400_000)
}

async fn prepared(db: &Database) {
    schema().plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    for (id, city) in [(1, "Oslo"), (2, "Bergen")] {
        Customer::insert(db, &Customer { id, name: format!("c{id}"), city: city.to_owned() }).await.unwrap();
    }
    let sale = |id: i64| Sale {
        id,
        shop: ["a", "b", "c"][(id % 3) as usize].to_owned(),
        city: if id % 2 == 0 { "Oslo" } else { "oslo" }.to_owned(),
        total: id,
        placed: at(id),
        customer: Ref::new(1 + id % 2),
        name: String::new(),
        home: String::new(),
    };
    Sale::insert_many(db, (0..60).map(sale).collect::<Vec<_>>()).await.unwrap();
}

fn schema() -> schema_runtime::Schema {
    schema![Sale, Customer]
}

fn row(shop: &str, sales: i64, revenue: i64, homes: i64) -> OfShop {
    OfShop { shop: shop.to_owned(), sales, revenue, homes }
}

#[tokio::test]
async fn each_groups_the_documents_that_its_conditions_find() {
    let db = database().await;
    prepared(&db).await;
    let sales = || Sale::sales(at(3)..at(9)).sort(OfShop::F.shop.asc());
    assert_indexed(&sales(), &db).await;
    let rows = sales().fetch_all(&db).await.unwrap();
    assert_eq!(rows, [row("a", 2, 9, 2), row("b", 2, 11, 2), row("c", 2, 13, 2)]);
    // A declared aggregation has all features of an aggregation: conditions on documents and on groups.
    let few = sales().filter(Sale::F.total.ne(3)).having(OfShop::F.revenue.gt(6)).limit(1);
    assert_eq!(few.fetch_one(&db).await.unwrap(), row("b", 2, 11, 2));
    assert_eq!(Sale::of_shop("b").fetch_one(&db).await.unwrap(), Total { most: Some(58) });
    assert_eq!(Sale::of_shop("none").fetch_one(&db).await.unwrap(), Total { most: None });
    let whole = Sale::all().sort(OfShop::F.shop.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(whole.iter().map(|row| row.sales).collect::<Vec<_>>(), [20, 20, 20]);
    // The collation of the attribute is the collation of the filter and of the index.
    let oslo = Sale::in_city("OSLO");
    assert_indexed(&oslo, &db).await;
    assert_eq!(oslo.fetch_all(&db).await.unwrap().iter().map(|row| row.sales).sum::<i64>(), 60);
    let in_transaction = transaction(&db, |tx| async move { Sale::of_shop("c").fetch_one(&tx).await });
    assert_eq!(in_transaction.await.unwrap(), Total { most: Some(59) });
}

/// A declared aggregation is a single `aggregate` that begins with the filter.
#[tokio::test]
async fn one_command_is_sent() {
    let (db, log) = database_with_log().await;
    prepared(&db).await;
    log.clear();
    Sale::of_shop("b").fetch_one(&db).await.unwrap();
    let commands = log.named("aggregate");
    let [command] = commands.as_slice() else { panic!("{commands:?}") };
    let pipeline = command.get_array("pipeline").unwrap();
    assert_eq!(pipeline[0].as_document().unwrap(), &doc! { "$match": { "shop": "b" } });
    assert_eq!(command.get_str("hint").unwrap(), "by_shop");
    // A value with any contents stays a value.
    assert_eq!(Sale::of_shop("{\"$ne\": null}").fetch_one(&db).await.unwrap(), Total { most: None });
    log.clear();
    Sale::in_city("oslo").fetch_all(&db).await.unwrap();
    assert_eq!(log.named("aggregate")[0].get_document("collation").unwrap().get_i32("strength").unwrap(), 2);
}

#[tokio::test]
async fn an_index_serves_each_and_a_missing_index_is_seen() {
    let db = database().await;
    prepared(&db).await;
    assert_queries_indexed(&schema(), &db).await;
    for (index, query) in [("placed_1", "sales"), ("by_shop", "of_shop")] {
        let keys = db.run_command(doc! { "listIndexes": "sales" }).await.unwrap();
        let keys = keys.get_document("cursor").unwrap().get_array("firstBatch").unwrap().clone();
        let [ours] = keys
            .iter()
            .filter_map(|keys| keys.as_document())
            .filter(|keys| keys.get_str("name").ok() == Some(index))
            .collect::<Vec<_>>()[..]
        else {
            panic!("{keys:?}")
        };
        db.collection::<Document>("sales").drop_index(index).await.unwrap();
        let found = check_queries(&schema(), &db).await.unwrap();
        let [problem] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(problem.query, query);
        assert!(problem.to_string().contains(&ReadProblem::CollectionScan.to_string()), "{problem}");
        db.run_command(doc! { "createIndexes": "sales", "indexes": [ours.clone()] }).await.unwrap();
    }
}

#[test]
fn the_review_lists_each_with_its_index() {
    let review = schema().review();
    let sales = &review.models[0];
    let reads: Vec<_> =
        sales.reads.iter().map(|read| (read.name, read.groups, read.per_day, read.index.as_deref())).collect();
    let city = sales.indexes.iter().find(|index| index.keys == doc! { "city": 1 }).unwrap();
    assert_eq!(
        reads[..5],
        [
            ("sales", Some("OfShop"), Some(24), Some("placed_1")),
            ("of_shop", Some("Total"), None, Some("by_shop")),
            ("in_city", Some("OfShop"), None, Some(city.name.as_str())),
            ("all", Some("OfShop"), None, None),
            ("by_customer", None, Some(100), Some("customer_1_placed_-1")),
        ]
    );
    let placed = sales.indexes.iter().find(|index| index.name == "placed_1").unwrap();
    assert_eq!(placed.asked_by, [IndexAsker::Query("sales")]);
    // An aggregation of all documents is no fault.
    let notes = review.notes();
    assert!(!notes.iter().any(|note| matches!(note, ReviewNote::NoIndex { .. })), "{notes:?}");
    let text = review.to_string();
    assert!(text.contains("grouped as `OfShop`"), "{text}");
    assert_eq!(sales.reads[0].documents_per_day(), None, "the number of sales in a period is not known");
}

/// A declared aggregation reads its keys, its values and its conditions, and no other field.
#[test]
fn the_read_fields_are_known() {
    let of = |field| Sale::DEFINITION.queries[0].reads(field, field);
    assert_eq!(["shop", "total", "placed", "home", "name", "city"].map(of), [true, true, true, true, false, false]);
    assert_eq!(Sale::DEFINITION.queries[1].groups.map(|groups| groups.result), Some("Total"));
}
