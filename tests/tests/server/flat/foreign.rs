//! Types of other crates in flat structs: the stored form, and the value that serde reads.

use std::{net::IpAddr, time::SystemTime};

use chrono::{DateTime as Time, NaiveDate, Utc};
use mongodb::bson::{Binary, spec::BinarySubtype};
use schema_tests::database;
use url::Url;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events")]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    origin: Origin,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Origin {
    address: IpAddr,
    key: uuid::Uuid,
    at: Time<Utc>,
    day: NaiveDate,
    second: time::OffsetDateTime,
    moment: jiff::Timestamp,
    price: rust_decimal::Decimal,
    system: SystemTime,
    page: Url,
    #[bound(max_items = 2)]
    addresses: Vec<IpAddr>,
    last: Option<IpAddr>,
    step: Step,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Step {
    Seen { by: IpAddr, key: uuid::Uuid },
}

#[tokio::test]
async fn every_type_is_read_as_written() {
    let db = database().await;
    schema![Event].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let milliseconds = 1_700_000_000_123;
    let address: IpAddr = "2001:db8::7".parse().unwrap();
    let key = uuid::Uuid::from_u128(7);
    let event = Event {
        id: 1,
        origin: Origin {
            address,
            key,
            at: Time::from_timestamp_millis(milliseconds).unwrap(),
            day: NaiveDate::from_ymd_opt(2024, 2, 29).unwrap(),
            second: time::OffsetDateTime::from_unix_timestamp(1_700_000_000).unwrap(),
            moment: jiff::Timestamp::from_millisecond(milliseconds).unwrap(),
            price: "12.50".parse().unwrap(),
            system: SystemTime::UNIX_EPOCH + std::time::Duration::from_millis(5),
            page: "https://example.com/a".parse().unwrap(),
            addresses: vec![address, "10.0.0.1".parse().unwrap()],
            last: Some("::1".parse().unwrap()),
            step: Step::Seen { by: address, key },
        },
    };
    let bytes = Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: key.as_bytes().to_vec() });
    let document = doc! {
        "_id": 1_i64,
        "address": "2001:db8::7",
        "key": &bytes,
        "at": DateTime::from_millis(milliseconds),
        "day": DateTime::from_millis(1_709_164_800_000),
        "second": DateTime::from_millis(1_700_000_000_000),
        "moment": DateTime::from_millis(milliseconds),
        "price": "12.50".parse::<Decimal128>().unwrap(),
        "system": DateTime::from_millis(5),
        "page": "https://example.com/a",
        "addresses": ["2001:db8::7", "10.0.0.1"],
        "last": "::1",
        "step": { "kind": "Seen", "by": "2001:db8::7", "key": &bytes },
    };
    Event::insert(&db, &event).await.unwrap();
    assert_eq!(raw(&db, "events", 1).await, document);
    assert_eq!(Event::get_by_id(&db, 1).await.unwrap(), event);
    let found = Event::find(Event::F.origin.address.eq(address) & Event::F.origin.key.eq(key));
    assert_eq!(found.fetch_all(&db).await.unwrap(), [event]);
}
