//! Groups for periods without documents, compared with the periods that Rust makes.

use std::collections::BTreeMap;

use jiff::{Timestamp, ToSpan, Unit, Zoned, ZonedRound, civil::Weekday, tz::TimeZone};
use schema_runtime::{check_indexed, prelude::*, transaction};
use schema_tests::{database, database_with_log};

use super::models::{Order, Status, order};

/// The zones, as names of the server and as rules of the years of the test. In Brazil the clocks changed at midnight:
/// that day has no midnight.
const ZONES: [(&str, &str); 4] = [
    ("Europe/Oslo", "CET-1CEST,M3.5.0,M10.5.0/3"),
    ("America/New_York", "EST5EDT,M3.2.0,M11.1.0"),
    ("America/Sao_Paulo", "<-03>3<-02>,M11.1.0/0,M2.3.0/0"),
    ("+05:30", "IST-5:30"),
];

macro_rules! units {
    ($($name:ident $all:ident $unit:ident)*) => {$(
        #[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
        #[aggregate(of = Order, by(status, begin = $unit(placed, tz = zone)), fill)]
        struct $name {
            status: Status,
            begin: DateTime,
            #[count]
            orders: i64,
        }

        #[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
        #[aggregate(of = Order, by(begin = $unit(placed, tz = zone)), fill)]
        struct $all {
            begin: DateTime,
            #[count]
            orders: i64,
        }
    )*};
}

units! { Hours AllHours hour Days AllDays day Weeks AllWeeks week Months AllMonths month }

fn begin(zoned: &Zoned, unit: Unit) -> Zoned {
    match unit {
        Unit::Hour => zoned.round(ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc)).unwrap(),
        Unit::Day => zoned.start_of_day().unwrap(),
        Unit::Week => {
            let after = zoned.weekday().since(Weekday::Monday);
            zoned.date().checked_sub(i32::from(after).days()).unwrap().to_zoned(zoned.time_zone().clone()).unwrap()
        }
        _ => zoned.first_of_month().unwrap().start_of_day().unwrap(),
    }
}

/// Returns the begin of the next period: a local date, and not a number of hours after the begin.
fn next(zoned: &Zoned, unit: Unit) -> Zoned {
    let zone = || zoned.time_zone().clone();
    match unit {
        Unit::Hour => zoned.checked_add(1.hour()).unwrap(),
        Unit::Day => zoned.date().tomorrow().unwrap().to_zoned(zone()).unwrap(),
        Unit::Week => zoned.date().checked_add(7.days()).unwrap().to_zoned(zone()).unwrap(),
        _ => zoned.date().checked_add(1.month()).unwrap().to_zoned(zone()).unwrap(),
    }
}

/// Returns the number of orders of each status and period. `by_status` is false for a single partition, which is there
/// without orders, too.
fn expected(
    orders: &[Order],
    dates: &std::ops::Range<i64>,
    unit: Unit,
    rule: &str,
    by_status: bool,
) -> BTreeMap<(String, i64), i64> {
    let zone = TimeZone::posix(rule).unwrap();
    let zoned = |millis| Timestamp::from_millisecond(millis).unwrap().to_zoned(zone.clone());
    let partition = |order: &Order| if by_status { format!("{:?}", order.status) } else { String::new() };
    let mut groups = BTreeMap::new();
    for order in orders {
        let begin = begin(&zoned(order.placed.timestamp_millis()), unit).timestamp().as_millisecond();
        *groups.entry((partition(order), begin)).or_default() += 1;
    }
    let mut partitions: Vec<String> = orders.iter().map(partition).collect();
    partitions.extend((!by_status).then(String::new));
    for partition in partitions {
        let mut at = begin(&zoned(dates.start), unit);
        while at.timestamp().as_millisecond() < dates.end {
            groups.entry((partition.clone(), at.timestamp().as_millisecond())).or_default();
            at = next(&at, unit);
        }
    }
    groups
}

#[tokio::test]
async fn the_periods_without_documents_are_the_periods_of_the_zone() {
    let db = database().await;
    let mut rng = fastrand::Rng::with_seed(91);
    for (zone, rule) in ZONES {
        for (unit, days) in [(Unit::Hour, 4), (Unit::Day, 40), (Unit::Week, 150), (Unit::Month, 700)] {
            // The first day of a change of the clocks in each zone, or the days around.
            for change in ["2018-11-04T03:00:00Z", "2021-03-28T01:00:00Z", "2018-10-28T01:00:00Z"] {
                if zone == "America/Sao_Paulo" && (!change.starts_with("2018-11") || days > 50) {
                    continue;
                }
                let change: Timestamp = change.parse().unwrap();
                let span = days * 24 * 3_600_000_i64;
                let mut at = || change.as_millisecond() - span / 3 + rng.i64(0..span);
                let (one, other) = (at(), at());
                let dates = one.min(other)..one.max(other);
                let placed: Vec<i64> = (0..[0, 1, 9][at() as usize % 3]).map(|_| at()).collect();
                let make = |(id, placed): (usize, &i64)| Order {
                    status: if id % 3 == 0 { Status::New } else { Status::Paid },
                    placed: DateTime::from_millis(*placed),
                    ..order(id as i64)
                };
                let orders: Vec<Order> = placed.iter().enumerate().map(make).collect();
                Order::delete_many(&db, Filter::all()).await.unwrap();
                if !orders.is_empty() {
                    Order::insert_many(&db, &orders).await.unwrap();
                }
                let range = || DateTime::from_millis(dates.start)..DateTime::from_millis(dates.end);
                macro_rules! compare {
                    ($rows:ident $all:ident) => {{
                        let rows = Order::aggregate::<$rows>().zone(zone).fill(range()).fetch_all(&db).await.unwrap();
                        let key = |row: &$rows| (format!("{:?}", row.status), row.begin.timestamp_millis());
                        let count = rows.len();
                        let found: BTreeMap<_, _> = rows.iter().map(|row| (key(row), row.orders)).collect();
                        assert_eq!(found.len(), count);
                        assert_eq!(found, expected(&orders, &dates, unit, rule, true), "{zone} {unit:?} {dates:?}");
                        let rows = Order::aggregate::<$all>().zone(zone).fill(range()).fetch_all(&db).await.unwrap();
                        let count = rows.len();
                        let key = |row: &$all| (String::new(), row.begin.timestamp_millis());
                        let found: BTreeMap<_, _> = rows.iter().map(|row| (key(row), row.orders)).collect();
                        assert_eq!(found.len(), count);
                        assert_eq!(found, expected(&orders, &dates, unit, rule, false), "{zone} {unit:?} {dates:?}");
                    }};
                }
                match unit {
                    Unit::Hour => compare!(Hours AllHours),
                    Unit::Day => compare!(Days AllDays),
                    Unit::Week => compare!(Weeks AllWeeks),
                    _ => compare!(Months AllMonths),
                }
            }
        }
    }
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(day = day(placed)), fill)]
struct Values {
    day: DateTime,
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
    #[first(total, order = asc(placed))]
    first: Option<i64>,
    #[collect(total, max = 3)]
    some: Vec<i64>,
    #[count_distinct(city, max = 3)]
    cities: i64,
    #[any(gte(total, 0))]
    any: bool,
    #[all(gte(total, 0))]
    all: bool,
}

#[tokio::test]
async fn an_added_group_has_empty_values() {
    let (db, log) = database_with_log().await;
    schema![Order].create(&db).await.unwrap();
    let day = |number: i64| DateTime::from_millis(number * 86_400_000);
    Order::insert(&db, &Order { placed: day(3), total: 7, ..order(1) }).await.unwrap();
    log.clear();
    let query = || Order::aggregate::<Values>().filter(Order::F.total.gte(0)).fill(day(2)..day(5));
    let rows = query().sort(Values::F.day.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(log.commands().len(), 1);
    let empty = Values {
        day: day(2),
        orders: 0,
        revenue: 0,
        prices: "0".parse().unwrap(),
        mean: None,
        most: None,
        first: None,
        some: Vec::new(),
        cities: 0,
        any: false,
        all: true,
    };
    assert_eq!(rows.len(), 3);
    assert_eq!((rows[1].orders, rows[1].mean, &rows[1].some), (1, Some(7.0), &vec![7]));
    assert_eq!((&rows[0], &rows[2]), (&empty, &Values { day: day(4), ..empty.clone() }));
    assert_eq!(query().having(Values::F.orders.eq(0)).fetch_all(&db).await.unwrap().len(), 2);
    assert_eq!(check_indexed(&query(), &db).await.unwrap(), []);
    let inside = transaction(&db, |tx| async move {
        Order::delete_many(&tx, Filter::all()).await?;
        Order::aggregate::<Values>()
            .fill(DateTime::from_millis(0)..DateTime::from_millis(86_400_001))
            .fetch_all(&tx)
            .await
    });
    assert_eq!(inside.await.unwrap().len(), 2);
    let many = Order::aggregate::<Values>().fill(day(0)..day(100_001)).fetch_all(&db).await.unwrap_err();
    assert!(matches!(many, Error::Query { message } if message.contains("100,000")), "{many:?}");
}
