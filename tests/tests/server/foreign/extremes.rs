//! Values that BSON, or a type of Rust, cannot hold: each is an error with the field and the reason, and without the
//! value. A part of a millisecond is cut.

use std::{
    net::IpAddr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use chrono::{DateTime as Time, NaiveDate, Utc};
use jiff::{Timestamp, civil};
use mongodb::{
    Database,
    bson::{Binary, Bson, DateTime as Date, Decimal128, Document, doc, spec::BinarySubtype},
};
use rust_decimal::Decimal;
use schema_runtime::{Error, ErrorKind, prelude::*};
use schema_tests::database_with_log;
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use super::{date, raw};

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Inside {
    #[serde(rename = "when")]
    at: Time<Utc>,
}

/// A document in which each field may be absent.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq, Default)]
#[model(collection = "things")]
struct Thing {
    #[serde(rename = "_id")]
    id: i64,
    time: Option<Time<Utc>>,
    day: Option<NaiveDate>,
    stamp: Option<Timestamp>,
    civil: Option<civil::Date>,
    offset: Option<OffsetDateTime>,
    system: Option<SystemTime>,
    uuid: Option<Uuid>,
    number: Option<Decimal>,
    address: Option<IpAddr>,
    #[bound(max_len = 20)]
    web: Option<Url>,
    #[relation(one_to_few, embed, max = 3)]
    list: Vec<Inside>,
    #[bound(max_items = 3)]
    map: std::collections::BTreeMap<String, Timestamp>,
}

/// Returns the number of nanoseconds as a time.
fn nanoseconds(number: i64) -> Time<Utc> {
    Time::from_timestamp_nanos(number)
}

/// Requires a refusal of a value of the field.
fn assert_refused<T: std::fmt::Debug>(result: schema_runtime::Result<T>, expected: &str, word: &str) {
    let error = result.unwrap_err();
    let Error::Encode { field, message } = error.cause() else { panic!("{error:?}") };
    assert_eq!(field, expected);
    assert!(message.contains(word), "{message}");
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains(message), "{error}");
}

/// A date is stored in whole milliseconds, rounded down, and each operand of a filter or an update is rounded in the
/// same way: a value finds the document that was written with the value.
#[tokio::test]
async fn a_part_of_a_millisecond_is_cut() {
    let (db, _) = database_with_log().await;
    let finer = nanoseconds(1_000_001);
    let before = nanoseconds(-1);
    let stamp = Timestamp::from_nanosecond(-1).unwrap();
    let offset = OffsetDateTime::from_unix_timestamp_nanos(1_500_000).unwrap();
    let system = UNIX_EPOCH + Duration::from_micros(2_001);
    let thing = Thing {
        id: 1,
        time: Some(finer),
        stamp: Some(stamp),
        offset: Some(offset),
        system: Some(system),
        list: vec![Inside { at: before }, Inside { at: finer }],
        map: [("key".to_owned(), stamp)].into(),
        ..Thing::default()
    };
    Thing::insert(&db, &thing).await.unwrap();
    let stored = raw(&db, "things", 1_i64).await;
    for (field, milliseconds) in [("time", 1), ("stamp", -1), ("offset", 1), ("system", 2)] {
        assert_eq!(stored.get(field), Some(&date(milliseconds)), "{field}");
    }
    assert_eq!(stored.get("list"), Some(&vec![doc! { "when": date(-1) }, doc! { "when": date(1) }].into()));
    assert_eq!(stored.get("map"), Some(&doc! { "key": date(-1) }.into()));
    let f = Thing::F;
    for (filter, count) in [
        (f.time.eq(finer), 1),
        (f.time.is_in([before, finer]), 1),
        (f.time.gte(finer), 1),
        (f.time.lte(finer), 1),
        (f.time.gt(finer), 0),
        (f.time.lt(finer), 0),
        (f.time.between(finer..), 1),
        (f.time.ne(finer), 0),
        (f.stamp.eq(stamp), 1),
        (f.offset.eq(offset), 1),
        (f.system.eq(system), 1),
        (f.list.at.eq(finer), 1),
    ] {
        assert_eq!(Thing::find(filter.clone()).count(&db).await.unwrap(), count, "{filter:?}");
    }
    let update = Thing::update_by_id(1).set(f.time, before).min(f.stamp, stamp).pull(f.list, &Inside { at: finer });
    update.execute(&db).await.unwrap();
    let mut read = Thing::get_by_id(&db, 1).await.unwrap();
    let millisecond = Time::from_timestamp_millis(-1).unwrap();
    assert_eq!((read.time, &read.list), (Some(millisecond), &vec![Inside { at: millisecond }]));
    assert_eq!(read.stamp, Some(Timestamp::from_millisecond(-1).unwrap()));
    read.time = Some(finer);
    Thing::replace(&db, &read).await.unwrap();
    assert_eq!(raw(&db, "things", 1_i64).await.get("time"), Some(&date(1)));
}

/// Stores this field of the document 1 as it is, and reads the document.
async fn read(db: &Database, field: &str, value: impl Into<Bson>) -> schema_runtime::Result<Thing> {
    let mut stored = doc! { "_id": 1_i64, "list": [], "map": {} };
    stored.insert(field, value);
    db.collection::<Document>("things").insert_one(stored).await.unwrap();
    let read = Thing::get_by_id(db, 1).await;
    db.collection::<Document>("things").delete_one(doc! { "_id": 1_i64 }).await.unwrap();
    read
}

#[tokio::test]
async fn the_ends_of_each_type_of_date() {
    let (db, _) = database_with_log().await;
    let milliseconds = |time: Time<Utc>| Time::from_timestamp_millis(time.timestamp_millis()).unwrap();
    let least = Thing {
        time: Some(Time::<Utc>::MIN_UTC),
        day: Some(NaiveDate::MIN),
        stamp: Some(Timestamp::MIN),
        civil: Some(civil::Date::MIN),
        offset: Some(time::Date::MIN.midnight().assume_utc()),
        system: Some(UNIX_EPOCH),
        ..Thing::default()
    };
    let greatest = Thing {
        id: 1,
        time: Some(milliseconds(Time::<Utc>::MAX_UTC)),
        day: Some(NaiveDate::MAX),
        stamp: Some(Timestamp::from_nanosecond(Timestamp::MAX.as_nanosecond() / 1_000_000 * 1_000_000).unwrap()),
        civil: Some(civil::Date::MAX),
        offset: Some(time::Date::MAX.midnight().assume_utc()),
        system: Some(UNIX_EPOCH + Duration::from_millis(i64::MAX as u64)),
        ..Thing::default()
    };
    for thing in [&least, &greatest] {
        Thing::insert(&db, thing).await.unwrap();
        assert_eq!(Thing::get_by_id(&db, thing.id).await.unwrap(), *thing);
    }
    assert_eq!(raw(&db, "things", 1_i64).await.get("system"), Some(&date(i64::MAX)));
    // A time may have an offset; the stored date is in UTC, and an equal time is read.
    let east = time::UtcOffset::from_hms(14, 0, 0).unwrap();
    let offset = OffsetDateTime::UNIX_EPOCH.to_offset(east);
    Thing::insert(&db, &Thing { id: 2, offset: Some(offset), ..Thing::default() }).await.unwrap();
    assert_eq!(raw(&db, "things", 2_i64).await.get("offset"), Some(&date(0)));
    let read = Thing::get_by_id(&db, 2).await.unwrap().offset.unwrap();
    assert_eq!((read, read.offset()), (offset, time::UtcOffset::UTC));
}

#[tokio::test]
async fn values_without_a_stored_form() {
    let (db, log) = database_with_log().await;
    let leap: Time<Utc> = "2016-12-31T23:59:60Z".parse().unwrap();
    assert_refused(Thing::insert(&db, &Thing { time: Some(leap), ..Thing::default() }).await, "time", "leap");
    let far = UNIX_EPOCH + Duration::from_secs(i64::MAX as u64);
    assert_refused(Thing::insert(&db, &Thing { system: Some(far), ..Thing::default() }).await, "system", "range");
    // serde writes no `SystemTime` before 1970.
    let early = Thing { system: Some(UNIX_EPOCH - Duration::from_secs(1)), ..Thing::default() };
    assert!(matches!(Thing::insert(&db, &early).await, Err(Error::Encode { .. })));
    assert!(log.commands().is_empty());
    let longer = Url::parse("https://example.org/too-long").unwrap();
    let refused = Thing::insert(&db, &Thing { web: Some(longer), ..Thing::default() }).await.unwrap_err();
    assert!(matches!(refused, Error::BoundExceeded { field, bound: 20, size: 28, .. } if field == "web"));
}

#[tokio::test]
async fn stored_values_that_a_type_cannot_hold() {
    let (db, _) = database_with_log().await;
    let subtype = |subtype, length| Bson::Binary(Binary { subtype, bytes: vec![7; length] });
    let digits = "1234567890123456789012345678901234".parse::<Decimal128>().unwrap();
    for (field, value, word) in [
        ("time", date(i64::MAX), "range"),
        ("time", date(i64::MIN), "range"),
        ("time", "1970-01-01T00:00:00Z".into(), "no date"),
        ("day", date(1), "has a time"),
        ("day", date(i64::MAX - i64::MAX % 86_400_000), "range"),
        ("day", date(i64::MIN - i64::MIN % 86_400_000), "range"),
        ("stamp", date(i64::MAX), "range"),
        ("stamp", Bson::Int64(7), "no date"),
        ("civil", date(-1), "has a time"),
        ("civil", date(i64::MAX - i64::MAX % 86_400_000), "range"),
        ("offset", date(i64::MIN), "range"),
        ("offset", Bson::Array(vec![]), "no date"),
        ("system", date(-1), "before 1970"),
        ("uuid", subtype(BinarySubtype::UuidOld, 16), "no UUID"),
        ("uuid", subtype(BinarySubtype::Generic, 16), "no UUID"),
        ("number", digits.into(), "exact"),
        ("number", "NaN".parse::<Decimal128>().unwrap().into(), "exact"),
        ("number", "1E-29".parse::<Decimal128>().unwrap().into(), "exact"),
        ("number", "1E+40".parse::<Decimal128>().unwrap().into(), "exact"),
        ("number", Bson::Double(1.5), "no decimal"),
        ("address", "10.0.0.256".into(), "no address"),
        ("address", Bson::Int32(7), "no string"),
        ("web", "no url".into(), "no URL"),
    ] {
        let error = read(&db, field, value.clone()).await.unwrap_err();
        let Error::Decode { collection, model, id, path, message } = &error else { panic!("{error:?}") };
        assert_eq!((collection.as_str(), *model, &**id, path.as_str()), ("things", "Thing", &Bson::Int64(1), field));
        assert!(message.contains(word), "{field}: {message}");
        assert!(error.to_string().ends_with(message), "{error}");
    }
    let inside = read(&db, "list", vec![doc! { "when": date(0) }, doc! { "when": 1 }]).await.unwrap_err();
    assert!(matches!(inside, Error::Decode { path, .. } if path == "list.1.when"));
    assert!(matches!(read(&db, "map", doc! { "key": "text" }).await, Err(Error::Decode { .. })));
}

#[tokio::test]
async fn numbers_of_other_programs_are_exact() {
    let (db, _) = database_with_log().await;
    for (stored, number) in [
        ("1E+3", "1000"),
        ("-0", "0"),
        ("0E-6176", "0"),
        ("0E+6000", "0"),
        ("1.500000000000000000000000000000000", "1.5"),
        ("-79228162514264337593543950335", "-79228162514264337593543950335"),
        ("7.9E+28", "79000000000000000000000000000"),
    ] {
        let read = read(&db, "number", stored.parse::<Decimal128>().unwrap()).await.unwrap();
        assert_eq!(read.number, Some(Decimal::from_str_exact(number).unwrap()), "{stored}");
    }
    for number in [Decimal::MIN, Decimal::MAX, Decimal::new(150, 2), Decimal::new(1, 28), Decimal::ZERO] {
        Thing::upsert(&db, &Thing { number: Some(number), ..Thing::default() }).await.unwrap();
        let read = Thing::get_by_id(&db, 0).await.unwrap().number.unwrap();
        assert_eq!((read, read.scale()), (number, number.scale()));
    }
}

#[tokio::test]
async fn an_error_shows_no_value() {
    let (db, _) = database_with_log().await;
    let error = read(&db, "address", "my secret").await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("secret"));
    let early: Date = Date::from_millis(12_345);
    let error = read(&db, "day", early).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("12345"));
}
