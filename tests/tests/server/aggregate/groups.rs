//! Groups of documents, compared with groups that Rust makes of the same values.

use std::{cmp::Reverse, collections::BTreeMap};

use mongodb::bson::Document;
use rust_decimal::Decimal;
use schema_runtime::prelude::*;
use schema_tests::database;

use super::models::{Order, Status, fill};

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status, city, code = address.post_code))]
struct Group {
    status: Status,
    city: Option<String>,
    #[serde(rename = "postCode")]
    code: String,
    #[count]
    orders: i64,
    #[count(where(gte(total, 1000)))]
    large: i64,
    #[count(where(lt(discount, 0), not(is_null(city))))]
    cheaper: i64,
    #[sum(total)]
    revenue: i64,
    #[sum(discount)]
    discounts: i64,
    #[sum(total - or(discount, 0) * 2)]
    net: i64,
    #[sum(weight)]
    weight: f64,
    #[sum(fee)]
    fees: Decimal,
    #[avg(total)]
    mean: f64,
    #[avg(share)]
    share: Option<f64>,
    #[min(total)]
    least: i64,
    #[max(placed)]
    last: DateTime,
    #[max(address.floor)]
    top_floor: Option<i32>,
    #[std_dev(rate)]
    deviation: f64,
    #[any(gte(total, 1900))]
    any_large: bool,
    #[all(gte(total, 0))]
    all_positive: bool,
    #[count_distinct(count, max = 3)]
    counts: i64,
}

type Key = (&'static str, Option<String>, String);

fn key_of(status: Status, city: &Option<String>, code: &str) -> Key {
    let status = match status {
        Status::New => "new",
        Status::Paid => "paid",
        Status::SentBack => "sent_back",
    };
    (status, city.clone(), code.to_owned())
}

fn expected(orders: &[&Order]) -> BTreeMap<Key, Group> {
    let mut groups: BTreeMap<Key, Vec<&Order>> = BTreeMap::new();
    for order in orders {
        groups.entry(key_of(order.status, &order.city, &order.address.post_code)).or_default().push(order);
    }
    let group = |orders: Vec<&Order>| {
        let first = orders[0];
        let number = orders.len() as f64;
        let shares: Vec<f64> = orders.iter().filter_map(|order| order.share).collect();
        let mean_rate = orders.iter().map(|order| order.rate).sum::<f64>() / number;
        let mut counts: Vec<u32> = orders.iter().map(|order| order.count).collect();
        counts.sort_unstable();
        counts.dedup();
        Group {
            status: first.status,
            city: first.city.clone(),
            code: first.address.post_code.clone(),
            orders: orders.len() as i64,
            large: orders.iter().filter(|order| order.total >= 1_000).count() as i64,
            cheaper: orders
                .iter()
                .filter(|order| order.discount.is_some_and(|value| value < 0) && order.city.is_some())
                .count() as i64,
            revenue: orders.iter().map(|order| order.total).sum(),
            discounts: orders.iter().filter_map(|order| order.discount).sum(),
            net: orders.iter().map(|order| order.total - order.discount.unwrap_or(0) * 2).sum(),
            weight: orders.iter().map(|order| f64::from(order.weight)).sum(),
            fees: orders.iter().map(|order| order.fee).sum(),
            mean: orders.iter().map(|order| order.total as f64).sum::<f64>() / number,
            share: (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64),
            least: orders.iter().map(|order| order.total).min().unwrap(),
            last: orders.iter().map(|order| order.placed).max().unwrap(),
            top_floor: orders.iter().filter_map(|order| order.address.floor).max(),
            deviation: (orders.iter().map(|order| (order.rate - mean_rate).powi(2)).sum::<f64>() / number).sqrt(),
            any_large: orders.iter().any(|order| order.total >= 1_900),
            all_positive: orders.iter().all(|order| order.total >= 0),
            counts: counts.len().min(3) as i64,
        }
    };
    groups.into_iter().map(|(key, orders)| (key, group(orders))).collect()
}

/// Compares two groups, fractions to nine digits.
fn assert_group(found: &Group, expected: &Group) {
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0);
    assert!(near(found.mean, expected.mean) && near(found.deviation, expected.deviation), "{found:?} {expected:?}");
    assert!(near(found.share.unwrap_or(0.0), expected.share.unwrap_or(0.0)), "{found:?} {expected:?}");
    let found = Group {
        mean: expected.mean,
        deviation: expected.deviation,
        share: expected.share.and(found.share).and(expected.share),
        ..found.clone()
    };
    assert_eq!(&found, expected);
}

#[tokio::test]
async fn the_groups_are_the_groups_of_the_values_in_rust() {
    let db = database().await;
    for (seed, count) in [(11, 0), (12, 1), (13, 40), (14, 300)] {
        db.collection::<Document>("orders").drop().await.unwrap();
        let orders = fill(&db, seed, count).await;
        let all = || orders.iter();
        let f = Order::F;
        for (filter, kept) in [
            (Filter::all(), all().collect::<Vec<_>>()),
            (f.total.gte(500), all().filter(|order| order.total >= 500).collect()),
            (f.total.gte(5_000), Vec::new()),
        ] {
            let expected = expected(&kept);
            let groups = Order::aggregate::<Group>().filter(filter).fetch_all(&db).await.unwrap();
            assert_eq!(groups.len(), expected.len());
            for group in &groups {
                assert_group(group, &expected[&key_of(group.status, &group.city, &group.code)]);
            }
        }
    }
}

#[tokio::test]
async fn having_sort_skip_and_limit_are_about_the_groups() {
    let db = database().await;
    let orders = fill(&db, 21, 200).await;
    let groups = expected(&orders.iter().collect::<Vec<_>>());
    let mut rows: Vec<&Group> = groups.values().filter(|group| group.orders >= 3 && group.city.is_some()).collect();
    rows.sort_by_key(|group| Reverse(group.revenue));
    let aggregate = || {
        let f = Group::F;
        let filter = Order::F.city.is_not_null();
        Order::aggregate::<Group>().filter(filter).having(f.orders.gte(3)).sort([f.revenue.desc(), f.code.asc()])
    };
    let found = aggregate().fetch_all(&db).await.unwrap();
    assert_eq!(
        found.iter().map(|group| group.revenue).collect::<Vec<_>>(),
        rows.iter().map(|group| group.revenue).collect::<Vec<_>>()
    );
    let part = aggregate().skip(1).limit(2).fetch_all(&db).await.unwrap();
    assert_eq!(part, found[1..3]);
    assert_eq!(aggregate().fetch_one(&db).await.unwrap(), found[0]);
    assert_eq!(aggregate().skip(1_000).fetch_optional(&db).await.unwrap(), None);
    assert!(matches!(aggregate().skip(1_000).fetch_one(&db).await, Err(Error::NotFound { .. })));
    let mut stream = aggregate().stream(&db).await.unwrap();
    let mut streamed = Vec::new();
    while let Some(group) = stream.next().await {
        streamed.push(group.unwrap());
    }
    assert_eq!(streamed, found);
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order)]
struct Whole {
    #[count]
    orders: i64,
    #[sum(total)]
    revenue: i64,
    #[sum(price)]
    prices: Decimal128,
    #[avg(total)]
    mean: Option<f64>,
    #[max(total)]
    most: Option<i64>,
    #[collect(city, max = 2)]
    cities: Vec<Option<String>>,
    #[any(gte(total, 0))]
    any: bool,
    #[all(gte(total, 0))]
    all: bool,
}

#[tokio::test]
async fn without_keys_there_is_always_one_group() {
    let db = database().await;
    let nothing = Whole {
        orders: 0,
        revenue: 0,
        prices: "0".parse().unwrap(),
        mean: None,
        most: None,
        cities: Vec::new(),
        any: false,
        all: true,
    };
    let whole = || Order::aggregate::<Whole>();
    assert_eq!(whole().fetch_all(&db).await.unwrap(), std::slice::from_ref(&nothing));
    let orders = fill(&db, 31, 50).await;
    let found = whole().fetch_one(&db).await.unwrap();
    assert_eq!((found.orders, found.revenue), (50, orders.iter().map(|order| order.total).sum()));
    assert_eq!(found.cities, orders[..2].iter().map(|order| order.city.clone()).collect::<Vec<_>>());
    assert_eq!(whole().fetch_all(&db).await.unwrap(), [found]);
    assert_eq!(whole().filter(Order::F.total.gte(9_999)).fetch_one(&db).await.unwrap(), nothing);
    let inside = schema_runtime::transaction(&db, |tx| async move {
        Order::delete_many(&tx, Filter::all()).await?;
        Ok::<_, Error>(Order::aggregate::<Whole>().fetch_all(&tx).await?.len())
    });
    assert_eq!(inside.await.unwrap(), 1);
    // A condition on the group is a condition on the group of no documents, too.
    let none = whole().filter(Order::F.total.gte(9_999)).having(Whole::F.orders.gte(1));
    assert_eq!(none.fetch_all(&db).await.unwrap(), []);
}
