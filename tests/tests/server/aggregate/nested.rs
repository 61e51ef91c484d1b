//! Groups of groups.

use std::collections::BTreeMap;

use mongodb::bson::Bson;
use schema_runtime::{prelude::*, transaction};
use schema_tests::database_with_log;

use super::models::{Order, Status, fill};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: i64,
    region: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sales")]
struct Sale {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    customer: Ref<Customer>,
    total: i64,
}

#[derive(Aggregate, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status, city, code = address.post_code))]
struct Inner {
    status: Status,
    city: Option<String>,
    #[serde(rename = "postCode")]
    code: String,
    #[serde(rename = "sum")]
    #[sum(total)]
    revenue: i64,
    #[max(discount)]
    discount: Option<i64>,
    #[collect(total, max = 5)]
    totals: Vec<i64>,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Inner, by(status, code))]
struct Outer {
    status: Status,
    code: String,
    #[count]
    cities: i64,
    #[count(where(gte(revenue, 5_000)))]
    large: i64,
    #[sum(revenue - or(discount, 0))]
    net: i64,
    #[avg(revenue)]
    mean: f64,
    #[first(city, order = desc(revenue))]
    best: Option<String>,
    #[top(2, order = desc(revenue))]
    groups: Vec<Inner>,
}

/// A third level.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Outer, by(cities = ranges(cities, [0, 2])))]
struct Third {
    cities: Option<i64>,
    #[sum(net)]
    net: i64,
    #[max(mean)]
    most: f64,
}

type Key = (String, String);

/// Returns the inner groups of each outer group, in the order of the revenue.
fn model(orders: &[&Order], least: i64) -> BTreeMap<Key, Vec<Inner>> {
    let mut inner: BTreeMap<(Key, Option<String>), Inner> = BTreeMap::new();
    for order in orders {
        let key = ((format!("{:?}", order.status), order.address.post_code.clone()), order.city.clone());
        let group = inner.entry(key).or_insert_with(|| Inner {
            status: order.status,
            city: order.city.clone(),
            code: order.address.post_code.clone(),
            revenue: 0,
            discount: None,
            totals: Vec::new(),
        });
        group.revenue += order.total;
        group.discount = group.discount.max(order.discount);
        if group.totals.len() < 5 {
            group.totals.push(order.total);
        }
    }
    let mut outer: BTreeMap<Key, Vec<Inner>> = BTreeMap::new();
    for ((key, _), group) in inner {
        if group.revenue >= least {
            outer.entry(key).or_default().push(group);
        }
    }
    // The cities ascend already, and a sort is stable.
    outer.values_mut().for_each(|groups| groups.sort_by_key(|group| std::cmp::Reverse(group.revenue)));
    outer
}

#[tokio::test]
async fn groups_of_groups_are_the_groups_of_the_values_in_rust() {
    let (db, log) = database_with_log().await;
    for (seed, count) in [(71, 0), (72, 60), (73, 400)] {
        Order::delete_many(&db, Filter::all()).await.unwrap();
        let orders = fill(&db, seed, count).await;
        for (from, least) in [(i64::MIN, i64::MIN), (300, 2_000), (9_999, 0)] {
            let kept: Vec<&Order> = orders.iter().filter(|order| order.total >= from).collect();
            let expected = model(&kept, least);
            log.clear();
            let query = Order::aggregate::<Outer>().filter(Order::F.total.gte(from));
            let query = query.inner_having(Inner::F.revenue.gte(least));
            let found = query.clone().fetch_all(&db).await.unwrap();
            assert_eq!(log.commands().len(), 1);
            assert_eq!(found.len(), expected.len());
            for group in found {
                let inner = &expected[&(format!("{:?}", group.status), group.code.clone())];
                assert_eq!(group.cities, inner.len() as i64);
                assert_eq!(group.large, inner.iter().filter(|inner| inner.revenue >= 5_000).count() as i64);
                let net = inner.iter().map(|inner| inner.revenue - inner.discount.unwrap_or(0)).sum::<i64>();
                assert_eq!(group.net, net);
                let mean = inner.iter().map(|inner| inner.revenue as f64).sum::<f64>() / inner.len() as f64;
                assert!((group.mean - mean).abs() < 1e-6);
                assert_eq!(group.best, inner[0].city);
                assert_eq!(group.groups, inner[..inner.len().min(2)]);
            }
            let many = query.having(Outer::F.cities.gte(3)).sort(Outer::F.net.desc()).fetch_all(&db).await.unwrap();
            assert_eq!(many.len(), expected.values().filter(|inner| inner.len() >= 3).count());
            assert!(many.is_sorted_by_key(|group| std::cmp::Reverse(group.net)));
        }
        let third = Order::aggregate::<Third>().sort(Third::F.cities.asc()).fetch_all(&db).await.unwrap();
        let all = model(&orders.iter().collect::<Vec<_>>(), i64::MIN);
        let net = |is_large: bool| {
            let of = all.values().filter(|inner| (inner.len() >= 2) == is_large).flatten();
            of.map(|inner| inner.revenue - inner.discount.unwrap_or(0)).sum::<i64>()
        };
        for group in third {
            assert_eq!(group.net, net(group.cities == Some(2)));
        }
    }
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Sale, by(customer))]
struct OfCustomer {
    customer: Ref<Customer>,
    #[sum(total)]
    revenue: i64,
    #[lookup(customer.region)]
    region: Option<String>,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = OfCustomer, by(region))]
struct OfRegion {
    region: Option<String>,
    #[sum(revenue)]
    revenue: i64,
    #[max(revenue)]
    most: i64,
}

/// No value names the region, and so no region is read.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = OfCustomer)]
struct Customers {
    #[count]
    customers: i64,
    #[avg(revenue)]
    mean: Option<f64>,
}

/// The key of the groups of groups is a reference, too.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = OfCustomer, by(customer))]
struct Again {
    customer: Ref<Customer>,
    #[lookup(customer.region)]
    region: Option<String>,
    #[first(revenue, order = asc(revenue))]
    revenue: i64,
}

#[tokio::test]
async fn looked_up_fields_are_keys_and_values_of_groups_of_groups() {
    let (db, log) = database_with_log().await;
    for (id, region) in [(1, "north"), (2, "south"), (3, "north")] {
        Customer::insert(&db, &Customer { id, region: region.to_owned() }).await.unwrap();
    }
    for (id, customer, total) in [(1, 1, 10), (2, 1, 5), (3, 2, 7), (4, 3, 1), (5, 9, 3)] {
        Sale::insert(&db, &Sale { id, customer: Ref::new(customer), total }).await.unwrap();
    }
    log.clear();
    let regions = Sale::aggregate::<OfRegion>().sort(OfRegion::F.revenue.desc()).fetch_all(&db).await.unwrap();
    let row = |region: Option<&str>, revenue, most| OfRegion { region: region.map(str::to_owned), revenue, most };
    assert_eq!(regions, [row(Some("north"), 16, 15), row(Some("south"), 7, 7), row(None, 3, 3)]);
    assert_eq!(log.commands().len(), 1);
    log.clear();
    let all = Sale::aggregate::<Customers>().fetch_one(&db).await.unwrap();
    assert_eq!((all.customers, all.mean), (4, Some(6.5)));
    let command = log.named("aggregate").remove(0);
    let is_lookup = |stage: &Bson| stage.as_document().unwrap().contains_key("$lookup");
    assert!(!command.get_array("pipeline").unwrap().iter().any(is_lookup));
    let again = Sale::aggregate::<Again>().sort(Again::F.customer.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(
        again.iter().map(|row| row.region.as_deref()).collect::<Vec<_>>(),
        [Some("north"), Some("south"), Some("north"), None]
    );
    let inside = transaction(&db, |tx| async move {
        Sale::delete_many(&tx, Filter::all()).await?;
        Sale::aggregate::<Customers>().fetch_one(&tx).await
    });
    assert_eq!(inside.await.unwrap(), Customers { customers: 0, mean: None });
}
