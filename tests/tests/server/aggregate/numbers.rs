//! The numbers of a read: sum, average, least and greatest value, and the number of documents with each value.

use std::{collections::BTreeMap, time::Duration};

use mongodb::{
    bson::{Bson, Document, doc},
    options::{Collation, CollationStrength},
};
use rust_decimal::Decimal;
use schema_runtime::{AggregateError, check_indexed, prelude::*, transaction};
use schema_tests::{Spans, database, database_with_log};

use super::models::{Cents, Order, Status, fill, order};

#[tokio::test]
async fn the_numbers_are_the_numbers_of_the_values_in_rust() {
    let db = database().await;
    for (seed, count) in [(1, 0), (2, 1), (3, 60), (4, 200)] {
        db.collection::<Document>("orders").drop().await.unwrap();
        let orders = fill(&db, seed, count).await;
        for _ in 0..2 {
            compare(&db, &orders, Filter::all(), |_| true).await;
            compare(&db, &orders, Order::F.status.eq(Status::Paid), |order| order.status == Status::Paid).await;
            compare(&db, &orders, Order::F.total.gte(9_999), |_| false).await;
            schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
        }
    }
}

async fn compare(db: &Database, orders: &[Order], filter: Filter<Order>, keep: impl Fn(&Order) -> bool) {
    let kept: Vec<&Order> = orders.iter().filter(|order| keep(order)).collect();
    let find = || Order::find(filter.clone());
    let f = Order::F;
    assert_eq!(find().sum(db, f.total).await.unwrap(), kept.iter().map(|order| order.total).sum::<i64>());
    assert_eq!(find().sum(db, f.count).await.unwrap(), kept.iter().map(|order| i64::from(order.count)).sum::<i64>());
    let weight: f64 = find().sum(db, f.weight).await.unwrap();
    assert_eq!(weight, kept.iter().map(|order| f64::from(order.weight)).sum::<f64>());
    assert_eq!(find().sum(db, f.rate).await.unwrap(), kept.iter().map(|order| order.rate).sum::<f64>());
    let Cents(cents) = find().sum(db, f.cents).await.unwrap();
    assert_eq!(cents, kept.iter().map(|order| order.cents.0).sum::<f64>());
    assert_eq!(find().sum(db, f.fee).await.unwrap(), kept.iter().map(|order| order.fee).sum::<Decimal>());
    let decimal = |price: &Decimal128| price.to_string().parse::<Decimal>().unwrap();
    let prices: Decimal = kept.iter().map(|order| decimal(&order.price)).sum();
    assert_eq!(decimal(&find().sum(db, f.price).await.unwrap()), prices);
    let discounts = || kept.iter().filter_map(|order| order.discount);
    assert_eq!(find().sum(db, f.discount).await.unwrap(), discounts().sum::<i64>());
    assert_eq!(find().sum(db, f.share).await.unwrap(), kept.iter().filter_map(|order| order.share).sum::<f64>());
    let floors = || kept.iter().filter_map(|order| order.address.floor);
    assert_eq!(find().sum(db, f.address.floor).await.unwrap(), floors().map(i64::from).sum::<i64>());

    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let near = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
        (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-9, "{found} {expected}"),
        (found, expected) => assert_eq!(found, expected),
    };
    near(find().avg(db, f.total).await.unwrap(), mean(kept.iter().map(|order| order.total as f64).collect()));
    near(find().avg(db, f.discount).await.unwrap(), mean(discounts().map(|value| value as f64).collect()));
    let fees = kept.iter().map(|order| order.fee.to_string().parse().unwrap()).collect();
    near(find().avg(db, f.fee).await.unwrap(), mean(fees));

    assert_eq!(find().min(db, f.total).await.unwrap(), kept.iter().map(|order| order.total).min());
    assert_eq!(find().max(db, f.total).await.unwrap(), kept.iter().map(|order| order.total).max());
    assert_eq!(find().max(db, f.fee).await.unwrap(), kept.iter().map(|order| order.fee).max());
    assert_eq!(find().min(db, f.discount).await.unwrap(), discounts().min());
    assert_eq!(find().max(db, f.discount).await.unwrap(), discounts().max());
    assert_eq!(find().min(db, f.address.floor).await.unwrap(), floors().min());
    assert_eq!(find().max(db, f.placed).await.unwrap(), kept.iter().map(|order| order.placed).max());
    assert_eq!(find().min(db, f.city).await.unwrap(), kept.iter().filter_map(|order| order.city.clone()).min());

    let statuses = kept.iter().map(|order| order.status);
    assert_eq!(find().count_by(db, f.status).await.unwrap(), counted(statuses, |status| stored(*status)));
    let cities = kept.iter().map(|order| order.city.clone());
    assert_eq!(find().count_by(db, f.city).await.unwrap(), counted(cities, Clone::clone));
    let codes = kept.iter().map(|order| order.address.post_code.clone());
    assert_eq!(find().count_by(db, f.address.post_code).await.unwrap(), counted(codes, Clone::clone));
    let floors = kept.iter().map(|order| order.address.floor);
    assert_eq!(find().count_by(db, f.address.floor).await.unwrap(), counted(floors, |floor| *floor));
}

fn stored(status: Status) -> &'static str {
    match status {
        Status::New => "new",
        Status::Paid => "paid",
        Status::SentBack => "sent_back",
    }
}

/// Counts equal keys: most first, then in the order of the stored keys.
fn counted<K, O: Ord>(keys: impl Iterator<Item = K>, order: impl Fn(&K) -> O) -> Vec<(K, u64)> {
    let mut counts: BTreeMap<O, (K, u64)> = BTreeMap::new();
    for key in keys {
        counts.entry(order(&key)).or_insert((key, 0)).1 += 1;
    }
    let mut counts: Vec<(K, u64)> = counts.into_values().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

#[tokio::test]
async fn a_sum_over_64_bits_is_an_error() {
    let db = database().await;
    Order::insert(&db, &Order { total: i64::MAX, ..order(1) }).await.unwrap();
    assert_eq!(Order::find(Filter::all()).sum(&db, Order::F.total).await.unwrap(), i64::MAX);
    Order::insert(&db, &Order { total: 1, ..order(2) }).await.unwrap();
    let error = Order::find(Filter::all()).sum(&db, Order::F.total).await.unwrap_err();
    assert!(
        matches!(&error, Error::Aggregate(AggregateError::Overflow { model: "Order", field }) if field == "total"),
        "{error:?}"
    );
    assert!(!error.to_string().contains("9223372036854775807"), "{error}");
    // The sum comes back into the range.
    Order::insert(&db, &Order { total: -2, ..order(3) }).await.unwrap();
    assert_eq!(Order::find(Filter::all()).sum(&db, Order::F.total).await.unwrap(), i64::MAX - 1);
    // The raw answer is a double that has lost digits.
    let pipeline =
        [doc! { "$match": { "_id": { "$lt": 3 } } }, doc! { "$group": { "_id": null, "sum": { "$sum": "$total" } } }];
    let mut rows = db.collection::<Document>("orders").aggregate(pipeline).await.unwrap();
    assert!(rows.advance().await.unwrap());
    assert_eq!(rows.current().get_f64("sum").unwrap(), 9_223_372_036_854_775_808.0);
}

#[tokio::test]
async fn a_part_of_the_documents_counts_with_a_limit() {
    let db = database().await;
    Order::insert_many(&db, (1..=9).map(order)).await.unwrap();
    let middle = || Order::find(Filter::all()).sort(Order::F.id.desc()).skip(2).limit(3);
    assert_eq!(middle().sum(&db, Order::F.total).await.unwrap(), 70 + 60 + 50);
    assert_eq!(middle().avg(&db, Order::F.total).await.unwrap(), Some(60.0));
    assert_eq!(middle().min(&db, Order::F.total).await.unwrap(), Some(50));
    assert_eq!(middle().max(&db, Order::F.total).await.unwrap(), Some(70));
    assert_eq!(middle().count_by(&db, Order::F.status).await.unwrap(), [(Status::New, 3)]);
}

#[tokio::test]
async fn each_number_is_one_command_with_the_options_of_the_operation() {
    let (db, log) = database_with_log().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, (1..=9).map(order)).await.unwrap();
    log.clear();
    let (spans, _guard) = Spans::collect();
    let find =
        || Order::find(Order::F.total.gte(0)).hint("by_total").comment("numbers").max_time(Duration::from_secs(30));
    find().sum(&db, Order::F.total).await.unwrap();
    find().avg(&db, Order::F.rate).await.unwrap();
    find().min(&db, Order::F.total).await.unwrap();
    find().max(&db, Order::F.total).await.unwrap();
    find().count_by(&db, Order::F.status).await.unwrap();
    let commands = log.commands();
    let names: Vec<&str> = commands.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["aggregate", "aggregate", "find", "find", "aggregate"]);
    for (_, command) in &commands {
        assert_eq!(command.get_str("hint").ok(), Some("by_total"), "{command}");
        assert_eq!(command.get_str("comment").ok(), Some("numbers"), "{command}");
        assert!(command.contains_key("maxTimeMS"), "{command}");
    }
    let stages = vec![
        doc! { "$match": { "total": { "$gte": 0_i64 } } },
        doc! { "$group": { "_id": null, "value": { "$sum": "$total" } } },
    ];
    assert_eq!(commands[0].1.get_array("pipeline").unwrap(), &stages.into_iter().map(Bson::from).collect::<Vec<_>>());
    assert_eq!(commands[2].1.get_document("sort").unwrap(), &doc! { "total": 1 });
    let spans = spans.take();
    let names: Vec<&str> = spans.iter().map(|span| span.name).collect();
    assert_eq!(names.len(), 5, "{names:?}");

    let wrong = Order::find(Filter::all()).hint("by_name").sum(&db, Order::F.total).await;
    assert!(matches!(wrong, Err(Error::UnknownIndex { .. })), "{wrong:?}");
}

#[tokio::test]
async fn an_index_serves_the_least_and_the_greatest_value() {
    let db = database().await;
    schema![Order].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Order::insert_many(&db, (1..=500).map(order)).await.unwrap();
    assert_eq!(Order::find(Filter::all()).min(&db, Order::F.total).await.unwrap(), Some(10));
    // The sent `find` as an explained read.
    let find = Order::find(Order::F.total.ne(0)).sort(Order::F.total.desc()).limit(1);
    assert_eq!(check_indexed(&find, &db).await.unwrap(), []);
}

#[tokio::test]
async fn a_collation_joins_keys_and_texts() {
    let db = database().await;
    let cities = ["oslo", "Oslo", "OSLO", "bergen"];
    for (id, city) in cities.iter().enumerate() {
        let city = Some((*city).to_owned());
        Order::insert(&db, &Order { city, ..order(id as i64) }).await.unwrap();
    }
    let without_case = Collation::builder().locale("en").strength(CollationStrength::Secondary).build();
    let find = || Order::find(Order::F.city.eq("oslo"));
    assert_eq!(find().count_by(&db, Order::F.city).await.unwrap().len(), 1);
    let counts = find().collation(without_case).count_by(&db, Order::F.city).await.unwrap();
    assert_eq!(counts.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [3]);
}

#[tokio::test]
async fn a_transaction_sees_its_own_documents() {
    let db = database().await;
    Order::insert(&db, &order(1)).await.unwrap();
    let inside = transaction(&db, |tx| async move {
        Order::insert(&tx, &order(2)).await?;
        let find = || Order::find(Filter::all());
        let sum = find().sum(&tx, Order::F.total).await?;
        let most = find().max(&tx, Order::F.total).await?;
        let mean = find().avg(&tx, Order::F.total).await?;
        Ok::<_, Error>((sum, most, mean, find().count_by(&tx, Order::F.status).await?))
    });
    assert_eq!(inside.await.unwrap(), (30, Some(20), Some(15.0), vec![(Status::New, 2)]));
}

#[tokio::test]
async fn a_value_that_does_not_fit_names_the_field() {
    let db = database().await;
    let raw = db.collection::<Document>("orders");
    raw.insert_one(doc! { "_id": 1_i64, "status": "unknown-secret", "total": "text" }).await.unwrap();
    let error = Order::find(Filter::all()).count_by(&db, Order::F.status).await.unwrap_err();
    assert!(matches!(&error, Error::Decode { path, .. } if path == "status"), "{error:?}");
    assert!(!error.to_string().contains("secret"), "{error}");
    let error = Order::find(Filter::all()).max(&db, Order::F.total).await.unwrap_err();
    assert!(matches!(&error, Error::Decode { path, .. } if path == "total"), "{error:?}");
    // A sum leaves out all values that are no numbers.
    assert_eq!(Order::find(Filter::all()).sum(&db, Order::F.total).await.unwrap(), 0);
}
