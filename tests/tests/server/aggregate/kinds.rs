//! Keys, unwound elements, and the values of one document of a group.

use std::collections::BTreeMap;

use jiff::{Timestamp, ToSpan, Unit, Zoned, ZonedRound, civil::Weekday, tz::TimeZone};
use schema_runtime::prelude::*;
use schema_tests::{database, database_with_log};

use super::models::{Line, Order, Status, fill, order};

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(
    hour = hour(placed, tz = "Europe/Oslo"),
    day = day(placed, tz = "America/New_York"),
    month = month(placed),
    year = year(placed, tz = "Asia/Kolkata"),
))]
struct Periods {
    hour: DateTime,
    day: DateTime,
    month: DateTime,
    year: DateTime,
    #[count]
    orders: i64,
}

/// The zones as rules of the years of the test: name, offset and days of the changes.
const OSLO: &str = "CET-1CEST,M3.5.0,M10.5.0/3";
const NEW_YORK: &str = "EST5EDT,M3.2.0,M11.1.0";
const KOLKATA: &str = "IST-5:30";

fn zoned(of: DateTime, zone: &str) -> Zoned {
    let zone = if zone.is_empty() { TimeZone::UTC } else { TimeZone::posix(zone).unwrap() };
    Timestamp::from_millisecond(of.timestamp_millis()).unwrap().to_zoned(zone)
}

/// Returns the begin of the period in Rust.
fn begin(placed: DateTime, unit: Unit, zone: &str) -> i64 {
    let zoned = zoned(placed, zone);
    let begin = match unit {
        Unit::Hour => zoned.round(ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc)).unwrap(),
        Unit::Day => zoned.start_of_day().unwrap(),
        Unit::Month => zoned.first_of_month().unwrap().start_of_day().unwrap(),
        _ => zoned.first_of_year().unwrap().start_of_day().unwrap(),
    };
    begin.timestamp().as_millisecond()
}

#[tokio::test]
async fn a_period_begins_in_its_time_zone() {
    let db = database().await;
    // An hour that a clock shows twice, an hour that no clock shows, and the days around both.
    let zone = TimeZone::posix(OSLO).unwrap();
    let changes = ["2020-10-25T00:00:00Z", "2021-03-28T00:00:00Z", "2020-11-01T05:00:00Z", "2020-12-31T18:20:00Z"];
    let mut all = Vec::new();
    for change in changes {
        let change: Timestamp = change.parse().unwrap();
        for minutes in (-180..180).step_by(20) {
            let at = change.to_zoned(zone.clone()).checked_add(minutes.minutes()).unwrap().timestamp();
            all.push(Order { placed: DateTime::from_millis(at.as_millisecond()), ..order(all.len() as i64) });
        }
    }
    Order::insert_many(&db, &all).await.unwrap();
    let mut expected: BTreeMap<[i64; 4], i64> = BTreeMap::new();
    for order in &all {
        let key = [
            begin(order.placed, Unit::Hour, OSLO),
            begin(order.placed, Unit::Day, NEW_YORK),
            begin(order.placed, Unit::Month, ""),
            begin(order.placed, Unit::Year, KOLKATA),
        ];
        *expected.entry(key).or_default() += 1;
    }
    let groups = Order::aggregate::<Periods>().fetch_all(&db).await.unwrap();
    let found = groups
        .iter()
        .map(|group| ([group.hour, group.day, group.month, group.year].map(DateTime::timestamp_millis), group.orders));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(week = week(placed), american = week(placed, start_of_week = sunday)))]
struct Weeks {
    week: DateTime,
    american: DateTime,
    #[count]
    orders: i64,
}

#[tokio::test]
async fn a_week_begins_on_monday_unless_said() {
    let db = database().await;
    // 2021-01-03 is a Sunday.
    let sunday: Timestamp = "2021-01-03T10:00:00Z".parse().unwrap();
    Order::insert(&db, &Order { placed: DateTime::from_millis(sunday.as_millisecond()), ..order(1) }).await.unwrap();
    let weeks = Order::aggregate::<Weeks>().fetch_one(&db).await.unwrap();
    let day = |of: DateTime| zoned(of, "");
    assert_eq!((day(weeks.week).weekday(), day(weeks.week).day()), (Weekday::Monday, 28));
    assert_eq!((day(weeks.american).weekday(), day(weeks.american).day()), (Weekday::Sunday, 3));
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(
    size = ranges(total, [0, 100, 1000]),
    rate = ranges(rate, [-5.5, 0]),
    discount = ranges(discount, [-2, 2]),
    city = ignore_case(city),
))]
struct Ranges {
    size: Option<i64>,
    rate: Option<f64>,
    discount: Option<i64>,
    city: Option<String>,
    #[count]
    orders: i64,
}

#[tokio::test]
async fn ranges_and_texts_without_case() {
    let db = database().await;
    let mut orders = fill(&db, 41, 150).await;
    for (id, city) in [(1_000, "OSLO"), (1_001, "oslo")] {
        let order = Order { city: Some(city.to_owned()), ..order(id) };
        Order::insert(&db, &order).await.unwrap();
        orders.push(order);
    }
    let below = |value: f64, limits: &[f64]| limits.iter().copied().rfind(|limit| *limit <= value);
    let mut expected = BTreeMap::new();
    for order in &orders {
        let size = below(order.total as f64, &[0.0, 100.0, 1_000.0]).map(|limit| limit as i64);
        let rate = format!("{:?}", below(order.rate, &[-5.5, 0.0]));
        let discount = order.discount.and_then(|value| below(value as f64, &[-2.0, 2.0])).map(|limit| limit as i64);
        let city = order.city.as_ref().map(|city| city.to_lowercase());
        *expected.entry((size, rate, discount, city)).or_insert(0_i64) += 1;
    }
    let groups = Order::aggregate::<Ranges>().fetch_all(&db).await.unwrap();
    let found = groups
        .into_iter()
        .map(|group| ((group.size, format!("{:?}", group.rate), group.discount, group.city), group.orders));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, unwind(lines), by(sku = lines.sku, status))]
struct Sku {
    sku: String,
    status: Status,
    #[sum(lines.price * lines.qty)]
    revenue: i64,
    #[sum(lines.price / 2 + rate)]
    halves: f64,
    #[count]
    lines: i64,
    #[max(lines.qty)]
    most: i32,
}

#[tokio::test]
async fn each_element_counts_as_a_document() {
    let db = database().await;
    let orders = fill(&db, 51, 120).await;
    let mut expected: BTreeMap<(String, String), (i64, f64, i64, i32)> = BTreeMap::new();
    for order in &orders {
        for line in &order.lines {
            let group =
                expected.entry((line.sku.clone(), format!("{:?}", order.status))).or_insert((0, 0.0, 0, i32::MIN));
            group.0 += line.price * i64::from(line.qty);
            group.1 += line.price as f64 / 2.0 + order.rate;
            group.2 += 1;
            group.3 = group.3.max(line.qty);
        }
    }
    let groups = Order::aggregate::<Sku>().fetch_all(&db).await.unwrap();
    let found = groups.into_iter().map(|group| {
        ((group.sku, format!("{:?}", group.status)), (group.revenue, group.halves, group.lines, group.most))
    });
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Order)]
struct Card {
    #[serde(rename = "_id")]
    id: i64,
    total: i64,
    city: Option<String>,
    lines: Vec<Line>,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(status))]
struct Best {
    status: Status,
    #[top(3, order = desc(total))]
    best: Vec<Card>,
    #[first(total, order(asc(placed), desc(total)))]
    first: i64,
    #[last(city, order = asc(placed))]
    last: Option<String>,
    #[collect(total, max = 4)]
    some: Vec<i64>,
}

#[tokio::test]
async fn the_first_documents_of_each_group() {
    let (db, log) = database_with_log().await;
    let orders = fill(&db, 61, 150).await;
    log.clear();
    let groups = Order::aggregate::<Best>().fetch_all(&db).await.unwrap();
    assert_eq!(log.commands().len(), 1);
    assert_eq!(groups.len(), 3);
    for group in groups {
        let mut of: Vec<&Order> = orders.iter().filter(|order| order.status == group.status).collect();
        assert_eq!(group.some, of[..4].iter().map(|order| order.total).collect::<Vec<_>>());
        // Equal documents are in the order of `_id`, in the direction of the last key.
        of.sort_by_key(|order| std::cmp::Reverse((order.total, order.id)));
        let card = |order: &&Order| Card {
            id: order.id,
            total: order.total,
            city: order.city.clone(),
            lines: order.lines.clone(),
        };
        assert_eq!(group.best, of[..3].iter().map(card).collect::<Vec<_>>());
        of.sort_by_key(|order| (order.placed, std::cmp::Reverse((order.total, order.id))));
        assert_eq!(group.first, of[0].total);
        of.sort_by_key(|order| (order.placed, order.id));
        assert_eq!(group.last, of[of.len() - 1].city);
    }
}
