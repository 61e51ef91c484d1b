//! Copies, rollups, buckets, histories and declared queries of types of other crates.

use std::net::IpAddr;

use chrono::{DateTime as Time, NaiveDate, Utc};
use jiff::Timestamp;
use mongodb::bson::{Bson, Decimal128, doc};
use rust_decimal::Decimal;
use schema_runtime::{Filter, prelude::*, schema};
use schema_tests::database;
use uuid::Uuid;

use super::{date, raw};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(orders = Order::host)]
struct Host {
    #[serde(rename = "_id")]
    id: Uuid,
    #[changes(seldom)]
    #[copied_to(Order::address)]
    address: IpAddr,
    #[changes(seldom)]
    #[copied_to(Order::since)]
    since: NaiveDate,
    #[computed(sum(Order::host, price))]
    total: Decimal,
    #[computed(min(Order::host, price))]
    least: Option<Decimal>,
    #[computed(max(Order::host, at))]
    last: Option<Time<Utc>>,
    #[computed(avg(Order::host, price))]
    average: Option<Decimal128>,
    #[subset(of = Order::host, keep = 2, order = desc(at))]
    latest: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Line {
    #[serde(rename = "_id")]
    id: Uuid,
    at: Time<Utc>,
    price: Decimal,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "orders")]
#[query(by_host(host), order = desc(at), page = 2)]
#[query(cheaper(lt(price)), order = asc(price), limit = 10)]
#[query(within(between(at)))]
struct Order {
    #[serde(rename = "_id")]
    id: Uuid,
    #[relation(one_to_squillions, parent_ref, order = desc(at))]
    host: Ref<Host>,
    at: Time<Utc>,
    price: Decimal,
    #[denormalize(from = host.address)]
    address: IpAddr,
    #[denormalize(from = host.since)]
    since: NaiveDate,
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn time(milliseconds: i64) -> Time<Utc> {
    Time::from_timestamp_millis(milliseconds).unwrap()
}

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 1, day).unwrap()
}

fn host(number: u128) -> Host {
    Host {
        id: id(number),
        address: "10.0.0.1".parse().unwrap(),
        since: day(1),
        total: Decimal::ZERO,
        least: None,
        last: None,
        average: None,
        latest: vec![],
    }
}

fn order(number: u128, cents: i64) -> Order {
    Order {
        id: id(number),
        host: Ref::new(id(1)),
        at: time(number as i64),
        price: Decimal::new(cents, 2),
        // The copies are filled by the insert.
        address: "0.0.0.0".parse().unwrap(),
        since: NaiveDate::MIN,
    }
}

fn number(text: &str) -> Bson {
    Bson::Decimal128(text.parse().unwrap())
}

#[tokio::test]
async fn copies_follow_and_rollups_are_exact() {
    let db = database().await;
    schema![Host, Order].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    Order::insert_many(&db, [order(10, 150), order(11, 5), order(12, 1_000_000_001)]).await.unwrap();
    let stored = raw(&db, "orders", bson_of(10)).await;
    assert_eq!((stored.get_str("address").unwrap(), stored.get("since")), ("10.0.0.1", Some(&date(1_704_067_200_000))));

    let update = Host::update_by_id(id(1)).set(Host::F.address, "2001:db8::1".parse::<IpAddr>().unwrap());
    update.set(Host::F.since, day(2)).execute(&db).await.unwrap();
    for number in [10, 11, 12] {
        let found = Order::get_by_id(&db, id(number)).await.unwrap();
        assert_eq!((found.address.to_string(), found.since), ("2001:db8::1".to_owned(), day(2)));
    }

    Order::update_by_id(id(11)).inc(Order::F.price, Decimal::new(10, 2)).execute(&db).await.unwrap();
    Order::update_by_id(id(10)).set(Order::F.at, time(99)).execute(&db).await.unwrap();
    schema_runtime::finish_writes(&db).await;
    let stored = raw(&db, "hosts", bson_of(1)).await;
    assert_eq!((stored.get("total"), stored.get("least")), (Some(&number("10000001.66")), Some(&number("0.15"))));
    assert_eq!(stored.get("last"), Some(&date(99)));
    let line = |number_of: u128, at, price| doc! { "_id": bson_of(number_of), "at": date(at), "price": number(price) };
    let lines = [line(10, 99, "1.50"), line(12, 12, "10000000.01")];
    assert_eq!(stored.get("latest"), Some(&Bson::from(lines.to_vec())));

    let read = Host::get_by_id(&db, id(1)).await.unwrap();
    assert_eq!((read.total, read.least), (Decimal::new(1_000_000_166, 2), Some(Decimal::new(15, 2))));
    assert_eq!((read.last, read.latest[0].at), (Some(time(99)), time(99)));
    assert!(read.average.unwrap().to_string().starts_with("3333333.88666"));
    assert!(schema![Host, Order].verify(&db).await.unwrap().is_clean());
}

/// Returns a UUID as stored.
fn bson_of(number: u128) -> Bson {
    let bytes = number.to_be_bytes().to_vec();
    Bson::Binary(mongodb::bson::Binary { subtype: mongodb::bson::spec::BinarySubtype::Uuid, bytes })
}

#[tokio::test]
async fn declared_queries_and_relations_by_uuid() {
    let db = database().await;
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    Order::insert_many(&db, [order(10, 3), order(11, 2), order(12, 1)]).await.unwrap();
    let numbers = |orders: &[Order]| orders.iter().map(|order| order.id.as_u128()).collect::<Vec<_>>();

    let first = Order::by_host(id(1)).fetch(&db).await.unwrap();
    assert_eq!(numbers(&first.items), [12, 11]);
    let next = Order::by_host(&host(1)).after(first.next.as_ref()).fetch(&db).await.unwrap();
    assert_eq!(numbers(&next.items), [10]);
    assert_eq!(numbers(&Order::cheaper(Decimal::new(3, 2)).fetch_all(&db).await.unwrap()), [12, 11]);
    assert_eq!(numbers(&Order::within(time(11)..time(12)).fetch_all(&db).await.unwrap()), [11]);

    let one = host(1);
    let children = one.orders().fetch_all(&db).await.unwrap().complete().unwrap().into_vec();
    assert_eq!(numbers(&children), [12, 11, 10]);
    let order = Order::get_by_id(&db, id(10)).await.unwrap();
    assert_eq!(order.host().fetch_one(&db).await.unwrap().id, id(1));
    assert_eq!(Order::find(Order::F.host.eq(id(1))).count(&db).await.unwrap(), 3);
    assert_eq!(Order::find(Order::F.host.is_in([id(2)])).count(&db).await.unwrap(), 0);
    let rows = Host::ORDERS.lookup(Filter::all()).fetch_all(&db).await.unwrap();
    assert_eq!(rows.iter().count(), 2);
    Order::HOST.reassign(&db, id(10), id(2)).await.unwrap();
    assert_eq!(raw(&db, "orders", bson_of(10)).await.get("host"), Some(&bson_of(2)));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "panels")]
#[inverse(readings = Reading::panel)]
struct Panel {
    #[serde(rename = "_id")]
    id: IpAddr,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", bucket(by = day(time), size = 3))]
struct Reading {
    #[serde(rename = "_id")]
    id: Uuid,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    panel: Ref<Panel>,
    time: Timestamp,
    energy: Decimal,
}

#[tokio::test]
async fn buckets_by_the_day_of_a_time() {
    let db = database().await;
    schema![Panel, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let panel = Panel { id: "::1".parse().unwrap() };
    Panel::insert(&db, &panel).await.unwrap();
    let reading = |number: u128| {
        let time = Timestamp::from_second(number as i64 * 43_200).unwrap();
        Reading { id: id(number), panel: Ref::to(&panel), time, energy: Decimal::new(number as i64, 1) }
    };
    Reading::insert_many(&db, (0..6).map(reading)).await.unwrap();
    let buckets = db.collection::<mongodb::bson::Document>("readings");
    let one = buckets.find_one(doc! { "day": date(86_400_000) }).await.unwrap().unwrap();
    assert_eq!((one.get_str("panel").unwrap(), one.get("first")), ("::1", Some(&date(86_400_000))));
    let item = one.get_array("items").unwrap()[0].as_document().unwrap();
    assert_eq!((item.get("_id"), item.get("time")), (Some(&bson_of(2)), Some(&date(86_400_000))));
    assert_eq!(item.get("energy"), Some(&number("0.2")));

    assert_eq!(
        panel.readings().fetch_all(&db).await.unwrap().complete().unwrap().into_vec(),
        (0..6).map(reading).collect::<Vec<_>>()
    );
    assert_eq!(Reading::get_by_id(&db, id(4)).await.unwrap(), reading(4));
    let found = Reading::find(Reading::F.time.gt(reading(4).time)).fetch_all(&db).await.unwrap();
    assert_eq!(found, [reading(5)]);
    let statistics = panel.readings().statistics(&db, Reading::F.energy).await.unwrap();
    assert_eq!(statistics.len(), 3);
    assert_eq!((statistics[1].least, statistics[1].greatest), (Some(Decimal::new(2, 1)), Some(Decimal::new(3, 1))));
    let page = panel.readings().paginate(4).fetch(&db).await.unwrap();
    let rest = panel.readings().paginate(4).after(page.next.as_ref()).fetch(&db).await.unwrap();
    assert_eq!(rest.items.complete().unwrap().into_vec(), [reading(4), reading(5)]);
    Reading::update_by_id(id(4)).set(Reading::F.energy, Decimal::ONE).execute(&db).await.unwrap();
    assert_eq!(Reading::get_by_id(&db, id(4)).await.unwrap().energy, Decimal::ONE);
    assert!(Reading::delete_by_id(&db, id(4)).await.unwrap());
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: Uuid,
    #[history(keep = 4, order = desc(from), interval(from, until))]
    prices: Vec<Price>,
    #[history(keep = 2, order = asc(day))]
    views: Vec<View>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    amount: Decimal,
    from: Time<Utc>,
    until: Option<Time<Utc>>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct View {
    day: NaiveDate,
}

#[tokio::test]
async fn histories_of_times_and_days() {
    let db = database().await;
    Product::insert(&db, &Product { id: id(1), prices: vec![], views: vec![] }).await.unwrap();
    let price = |cents: i64, from: i64| Price { amount: Decimal::new(cents, 2), from: time(from), until: None };
    for (cents, from) in [(100, 1_000), (90, 5_000)] {
        Product::update_by_id(id(1)).record(Product::F.prices, &price(cents, from)).execute(&db).await.unwrap();
    }
    for at in [3, 1, 2] {
        Product::update_by_id(id(1)).record(Product::F.views, &View { day: day(at) }).execute(&db).await.unwrap();
    }
    let stored = raw(&db, "products", bson_of(1)).await;
    let prices = [
        doc! { "amount": number("0.90"), "from": date(5_000), "until": Bson::Null },
        doc! { "amount": number("1.00"), "from": date(1_000), "until": date(5_000) },
    ];
    assert_eq!(stored.get("prices"), Some(&Bson::from(prices.to_vec())));
    let product = Product::get_by_id(&db, id(1)).await.unwrap();
    assert_eq!(product.views, [View { day: day(2) }, View { day: day(3) }]);
    assert_eq!(
        product.prices_at(DateTime::from_millis(4_999)),
        Some(&Price { until: Some(time(5_000)), ..price(100, 1_000) })
    );
    assert_eq!(product.prices_at(DateTime::from_millis(5_000)), Some(&price(90, 5_000)));
    let at = |time| Product::find(Product::F.prices.at(DateTime::from_millis(time))).count(&db);
    assert_eq!((at(999).await.unwrap(), at(1_000).await.unwrap()), (0, 1));
}
