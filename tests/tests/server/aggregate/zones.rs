//! Periods in a time zone that a call gives.

use jiff::{Timestamp, tz::TimeZone};
use schema_runtime::prelude::*;
use schema_tests::{database, database_with_log};

use super::models::{Order, order};

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(day = day(placed, tz = zone), utc = day(placed)))]
struct Day {
    day: DateTime,
    utc: DateTime,
    #[count]
    orders: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Day, by(month = month(day, tz = zone)))]
struct Month {
    month: DateTime,
    #[count]
    days: i64,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Order, by(day = day(placed)))]
struct Utc {
    day: DateTime,
}

#[tokio::test]
async fn a_call_gives_the_zone_of_a_period() {
    let (db, log) = database_with_log().await;
    let placed: Timestamp = "2021-06-30T22:30:00Z".parse().unwrap();
    Order::insert(&db, &Order { placed: DateTime::from_millis(placed.as_millisecond()), ..order(1) }).await.unwrap();
    for (zone, rule) in [("Europe/Oslo", "CET-1CEST,M3.5.0,M10.5.0/3"), ("+05:30", "IST-5:30"), ("UTC", "UTC0")] {
        log.clear();
        let day = Order::aggregate::<Day>().zone(zone).fetch_one(&db).await.unwrap();
        let local = placed.to_zoned(TimeZone::posix(rule).unwrap());
        assert_eq!(day.day.timestamp_millis(), local.start_of_day().unwrap().timestamp().as_millisecond());
        assert_eq!(day.utc, DateTime::parse_rfc3339_str("2021-06-30T00:00:00Z").unwrap());
        assert!(format!("{:?}", log.commands()).contains("\"$literal\""));
        let month = Order::aggregate::<Month>().zone(zone).fetch_one(&db).await.unwrap();
        let first = local.first_of_month().unwrap().start_of_day().unwrap();
        assert_eq!((month.month.timestamp_millis(), month.days), (first.timestamp().as_millisecond(), 1));
    }
}

#[tokio::test]
async fn a_wrong_zone_is_an_error() {
    let (db, log) = database_with_log().await;
    Order::insert(&db, &order(1)).await.unwrap();
    log.clear();
    for zone in ["", "$total", "Europe/Oslo\u{0}", "+1", "-5:x", "Os lo", "{}", &"a".repeat(65)] {
        let refused = Order::aggregate::<Day>().zone(zone).fetch_all(&db).await.unwrap_err();
        assert!(matches!(refused, Error::Query { message } if message.contains("Olson")), "{zone}: {refused:?}");
    }
    let missing = Order::aggregate::<Day>().fetch_all(&db).await.unwrap_err();
    assert!(matches!(missing, Error::Query { message } if message.contains("call `zone(..)`")), "{missing:?}");
    let missing = Order::aggregate::<Month>().stream(&db).await.err().unwrap();
    assert!(matches!(missing, Error::Query { message } if message.contains("call `zone(..)`")), "{missing:?}");
    let unused = Order::aggregate::<Utc>().zone("Europe/Oslo").fetch_all(&db).await.unwrap_err();
    assert!(matches!(unused, Error::Query { message } if message.contains("`tz = zone`")), "{unused:?}");
    assert_eq!(log.commands().len(), 0);
    let unknown = Order::aggregate::<Day>().zone("Europe/Atlantis").fetch_all(&db).await.unwrap_err();
    assert!(matches!(unknown, Error::Query { message } if message.contains("does not know")), "{unknown:?}");
}

/// A document without the key is no group of a wrong zone.
#[tokio::test]
async fn a_zone_of_no_documents_is_checked_by_its_form() {
    let db = database().await;
    assert_eq!(Order::aggregate::<Day>().zone("Europe/Oslo").fetch_all(&db).await.unwrap(), []);
}
