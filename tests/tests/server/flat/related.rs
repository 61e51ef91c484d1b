//! Flat fields beside the other features: references, copies of flat fields, shard keys, buckets, histories, generic
//! structs, bulk writes and upserts.

use super::*;

/// The source of copies of flat fields.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(logs = LogLine::host)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    #[copied_to(LogLine::host_town)]
    #[changes(seldom)]
    home: Address,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "lines")]
struct LogLine {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[bound(max_len = 10)]
    #[denormalize(from = host.home.city)]
    host_town: String,
    #[denormalize(from = host.home.place.lat, snapshot)]
    lat_then: f64,
    #[embed(flat)]
    #[serde(flatten)]
    seen: Seen,
}

/// A flat struct with a reference, and a type parameter.
#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Seen<T = i32> {
    by: Option<Ref<Host>>,
    times: T,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", bucket(size = 2))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[embed(flat)]
    #[serde(flatten)]
    at: Place,
    value: f64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "prices")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[history(keep = 3, order = desc(at))]
    prices: Vec<Price>,
    #[embed(flat)]
    #[serde(flatten)]
    audit: Audit,
    #[created_at]
    created: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    at: DateTime,
    #[embed(flat)]
    #[serde(flatten)]
    amount: Amount,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Amount {
    value: Decimal128,
    currency: String,
}

fn host(id: i64, city: &str) -> Host {
    Host { id, home: address(city), name: format!("host {id}") }
}

fn line(id: i64, of: i64) -> LogLine {
    let seen = Seen { by: Some(Ref::new(of)), times: 3 };
    LogLine { id, host: Ref::new(of), host_town: String::new(), lat_then: 0.0, seen }
}

async fn lines() -> Database {
    let (db, _) = database_with_log().await;
    schema![Host, LogLine].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Host::insert_many(&db, [host(1, "Oslo"), host(2, "Rome")]).await.unwrap();
    LogLine::insert_many(&db, [line(1, 1), line(2, 1), line(3, 2)]).await.unwrap();
    db
}

#[tokio::test]
async fn copies_of_flat_fields_follow() {
    let db = lines().await;
    let towns = async || {
        let lines = LogLine::find(Filter::all()).sort(LogLine::F.id.asc()).fetch_all(&db).await.unwrap();
        lines.into_iter().map(|line| (line.host_town, line.lat_then)).collect::<Vec<_>>()
    };
    let of = |town: &str| (town.to_owned(), 59.9);
    assert_eq!(towns().await, [of("Oslo"), of("Oslo"), of("Rome")]);
    Host::update_by_id(1).set(Host::F.home.city, "Lima").set(Host::F.home.place.lat, 1.0).execute(&db).await.unwrap();
    assert_eq!(towns().await, [of("Lima"), of("Lima"), of("Rome")]);
    let mut two = Host::get_by_id(&db, 2).await.unwrap();
    two.home.city = "Kiel".to_owned();
    Host::save(&db, &mut two).await.unwrap();
    assert_eq!(towns().await, [of("Lima"), of("Lima"), of("Kiel")]);
    // A write of another flat field sends no copies.
    let (line, _) = (
        raw(&db, "lines", 1).await,
        Host::update_by_id(1).set(Host::F.home.kind, Kind::Flat).execute(&db).await.unwrap(),
    );
    assert_eq!(raw(&db, "lines", 1).await, line);
    let report = schema![Host, LogLine].verify(&db).await.unwrap();
    assert!(report.findings().is_empty(), "{report}");
    assert_eq!(LogLine::get_by_id(&db, 1).await.unwrap().seen, Seen { by: Some(Ref::new(1)), times: 3 });
}

#[tokio::test]
async fn references_in_flat_structs_are_compared_and_set() {
    let db = lines().await;
    let of_two = LogLine::F.seen.by.eq(&host(2, "Rome"));
    let found = LogLine::find(of_two).fetch_all(&db).await.unwrap();
    assert_eq!(found.into_iter().map(|line| line.id).collect::<Vec<_>>(), [3]);
    LogLine::update_by_id(3).set(LogLine::F.seen.by, None).inc(LogLine::F.seen.times, 1).execute(&db).await.unwrap();
    let stored = raw(&db, "lines", 3).await;
    assert_eq!((stored.get("by"), stored.get("times")), (Some(&Bson::Null), Some(&Bson::Int32(4))));
}

#[tokio::test]
async fn children_in_buckets_have_flat_fields() {
    let (db, _) = database_with_log().await;
    schema![Host, LogLine, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let parent = host(1, "Oslo");
    Host::insert(&db, &parent).await.unwrap();
    let reading = |id: i64| Reading { id, host: Ref::new(1), at: Place { lat: id as f64, lon: 0.0 }, value: 1.0 };
    Reading::insert_many(&db, (1..=3).map(reading)).await.unwrap();
    let bucket = db.collection::<Document>("readings").find_one(doc! { "page": 1 }).await.unwrap().unwrap();
    let items = bucket.get_array("items").unwrap();
    assert_eq!(items[0].as_document().unwrap(), &doc! { "_id": 1_i64, "lat": 1.0, "lon": 0.0, "value": 1.0 });
    let found = Reading::find(Reading::F.at.lat.gt(1.0)).fetch_all(&db).await.unwrap();
    assert_eq!(found.into_iter().map(|reading| reading.id).collect::<Vec<_>>(), [2, 3]);
    Reading::update_by_id(2).set(Reading::F.at.lat, 9.0).execute(&db).await.unwrap();
    assert_eq!(Reading::get_by_id(&db, 2).await.unwrap().at.lat, 9.0);
}

#[tokio::test]
async fn histories_bulks_and_upserts() {
    let (db, _) = database_with_log().await;
    schema![Product].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let audit = Audit { by: Some("ada".to_owned()), notes: Vec::new() };
    let product = Product { id: 1, prices: Vec::new(), audit, created: DateTime::from_millis(0) };
    Product::insert(&db, &product).await.unwrap();
    for (time, value) in [(1, "1.5"), (2, "2.5")] {
        let amount = Amount { value: value.parse().unwrap(), currency: "EUR".to_owned() };
        let price = Price { at: DateTime::from_millis(time), amount };
        Product::update_by_id(1).record(Product::F.prices, &price).execute(&db).await.unwrap();
    }
    let read = Product::get_by_id(&db, 1).await.unwrap();
    assert_eq!(read.prices[0].amount.value.to_string(), "2.5");
    let stored = raw(&db, "prices", 1).await;
    let newest = stored.get_array("prices").unwrap()[0].as_document().unwrap();
    assert_eq!(newest.keys().collect::<Vec<_>>(), ["at", "value", "currency"]);

    let bulk = Product::bulk()
        .insert(&Product { id: 2, ..product.clone() })
        .update(Product::update_by_id(1).set(Product::F.audit.by, "tim"))
        .execute(&db)
        .await;
    bulk.unwrap().complete().unwrap();
    let by = async |id: i64| Product::get_by_id(&db, id).await.unwrap().audit.by.unwrap();
    assert_eq!([by(1).await, by(2).await], ["tim", "ada"]);
    let filter = Product::F.id.eq(2) & Product::F.audit.by.eq("ada");
    Product::update_one(filter).set(Product::F.audit.by, "eve").execute(&db).await.unwrap();
    assert_eq!(by(2).await, "eve");
    let replaced =
        Product { audit: Audit { by: None, notes: vec!["n".to_owned()] }, ..Product::get_by_id(&db, 2).await.unwrap() };
    Product::replace(&db, &replaced).await.unwrap();
    assert_eq!(Product::get_by_id(&db, 2).await.unwrap().audit, replaced.audit);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits")]
#[shard_key(at.town, id, distinct(at.town = 50_000))]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    at: Town,
    #[embed(flat)]
    #[serde(flatten)]
    audit: Audit,
    #[unversioned]
    views: i32,
    #[version]
    version: i64,
    what: What,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Town {
    #[bound(max_len = 9)]
    town: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum What {
    Stay { nights: i32, stay: Stay },
    Walk,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "marks", insert_only)]
struct Mark {
    #[serde(rename = "_id")]
    id: i64,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
}

#[tokio::test]
async fn shard_keys_and_unversioned_models() {
    let (db, _) = database_with_log().await;
    schema![Visit, Mark].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let stay = Stay { year: 2020, place: Place { lat: 1.0, lon: 2.0 } };
    let mut visit = Visit {
        id: 1,
        at: Town { town: "Oslo".to_owned() },
        audit: Audit { by: None, notes: Vec::new() },
        views: 0,
        version: 0,
        what: What::Stay { nights: 2, stay },
    };
    Visit::insert(&db, &visit).await.unwrap();
    let in_town = |town: &str| Visit::F.at.town.eq(town) & Visit::F.id.eq(1);
    schema_runtime::assert_targeted(&Visit::find(in_town("Oslo")));
    let moved = Visit::update_one(in_town("Oslo")).set(Visit::F.at.town, "Rome").execute(&db).await;
    assert!(
        matches!(&moved, Err(schema_runtime::Error::Update { message }) if message.contains("`town`")),
        "{moved:?}"
    );
    Visit::update_one(in_town("Oslo")).set(Visit::F.audit.by, "ada").inc(Visit::F.views, 1).execute(&db).await.unwrap();
    let filter = Visit::F.what.stay().stay.place.lat.eq(1.0) & Visit::F.version.eq(1);
    let found = Visit::find(filter).fetch_all(&db).await.unwrap();
    (visit.audit.by, visit.version, visit.views) = (Some("ada".to_owned()), 1, 1);
    assert_eq!(found, [visit]);
    let stored = raw(&db, "visits", 1).await;
    let what = doc! { "kind": "Stay", "nights": 2, "stay": { "year": 2020, "lat": 1.0, "lon": 2.0 } };
    assert_eq!(stored.get_document("what").unwrap(), &what);

    let mark = Mark { id: 1, place: Place { lat: 1.0, lon: 2.0 } };
    Mark::insert(&db, &mark).await.unwrap();
    assert_eq!(raw(&db, "marks", 1).await, doc! { "_id": 1_i64, "lat": 1.0, "lon": 2.0 });
}
