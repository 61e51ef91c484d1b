//! Queries together with the remaining features of a model.

use mongodb::bson::doc;
use schema_runtime::{assert_queries_indexed, prelude::*, transaction};
use schema_tests::database;

use super::keys;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(lines = Line::host, per_day = 500)]
#[query(by_address(ipaddr), one, per_day = 9_000)]
#[query(busy(gte(messages)), order = desc(messages), page = 3)]
#[query(saying(recent.text as String))]
#[query(older(lt(id)), order = desc(id), page = 10)]
#[query(changed(gt(updated)), order = asc(updated), limit = 100)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    #[copied_to(Line::address)]
    #[changes(seldom, per_day = 2)]
    ipaddr: String,
    #[subset(of = Line::host, keep = 5, order = desc(time))]
    recent: Vec<Recent>,
    #[computed(count(Line::host))]
    messages: i64,
    #[updated_at]
    updated: DateTime,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Recent {
    #[serde(rename = "_id")]
    id: i64,
    time: i64,
    text: String,
}

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "lines", allow(unused_index, reason = "a report of another program reads by it"))]
#[query(of_address(address), order = desc(time), limit = 5_000, per_day = 20_000)]
#[query(latest_of(host), order = desc(time), per_day = 10)]
#[query(at_time_of(time, address), per_day = 10)]
struct Line {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    #[denormalize(from = host.ipaddr)]
    address: String,
    time: i64,
    #[index]
    text: String,
}

/// The model has no copies, no kept values and no indexes beyond the needs of its queries, except with a reason.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "archive", read_only, allow(subset_not_read, reason = "a screen of another program shows it"))]
#[query(stored_at(time, r#type))]
struct Archived {
    #[serde(rename = "_id")]
    id: i64,
    time: i64,
    r#type: String,
}

async fn stored(db: &Database) {
    schema![Host, Line, Archived].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    for id in 0..8 {
        let host = Host { id, ipaddr: format!("10.0.0.{id}"), recent: vec![], messages: 0, updated: DateTime::now() };
        Host::insert(db, &host).await.unwrap();
        let line = |at: i64| Line {
            id: id * 100 + at,
            host: Ref::new(id),
            address: String::new(),
            time: at,
            text: format!("text {}", at % 3),
        };
        Line::insert_many(db, (0..id).map(line).collect::<Vec<_>>()).await.unwrap();
    }
}

#[tokio::test]
async fn by_what_is_derived() {
    let db = database().await;
    stored(&db).await;
    let of_address = Line::of_address("10.0.0.3").fetch_all(&db).await.unwrap();
    assert_eq!(of_address.iter().map(|line| line.time).collect::<Vec<_>>(), [2, 1, 0]);
    // The copy follows the source, and the query finds the document by the new copy.
    Host::update_by_id(3).set(Host::F.ipaddr, "10.0.9.9").execute(&db).await.unwrap();
    assert_eq!(Line::of_address("10.0.0.3").count(&db).await.unwrap(), 0);
    assert_eq!(Line::of_address("10.0.9.9").count(&db).await.unwrap(), 3);

    let busy = Host::busy(5).fetch(&db).await.unwrap();
    assert_eq!(busy.items.iter().map(|host| host.messages).collect::<Vec<_>>(), [7, 6, 5]);
    let saying: Vec<i64> =
        Host::saying("text 2").fetch_all(&db).await.unwrap().into_iter().map(|host| host.id).collect();
    assert_eq!(saying, [3, 4, 5, 6, 7]);
    let older = Host::older(4).fetch(&db).await.unwrap();
    assert_eq!(older.items.iter().map(|host| host.id).collect::<Vec<_>>(), [3, 2, 1, 0]);
    assert_eq!(Host::by_address("10.0.0.1").fetch_one(&db).await.unwrap().id, 1);
    assert_eq!(Host::changed(DateTime::from_millis(0)).count(&db).await.unwrap(), 8);
}

#[tokio::test]
async fn each_index_is_there_once_whoever_asks_for_it() {
    let db = database().await;
    stored(&db).await;
    let hosts = [
        doc! { "_id": 1 },
        doc! { "ipaddr": 1 },
        doc! { "messages": -1, "_id": -1 },
        doc! { "recent.text": 1 },
        doc! { "updated": 1 },
    ];
    let found = keys(&db, "hosts").await;
    assert!(hosts.iter().all(|keys| found.contains(keys)), "{found:?}");
    // The index of `latest_of` is the relation's own index. `address` is first in the keys of both remaining queries,
    // with different orders: a single index cannot serve the two queries and `latest_of`.
    let lines = [
        doc! { "_id": 1 },
        doc! { "host": 1, "time": -1, "_id": -1 },
        doc! { "text": 1 },
        doc! { "address": 1, "time": -1 },
    ];
    let found = keys(&db, "lines").await;
    assert!(lines.iter().all(|keys| found.contains(keys)), "{found:?}");
    let by_address = found.iter().filter(|keys| keys.contains_key("address"));
    assert_eq!(by_address.count(), 1, "an equality on both serves the one that is ordered: {found:?}");
    let names = db.list_collection_names().await.unwrap();
    assert!(!names.contains(&"archive".to_owned()), "a plan leaves what is `read_only` alone");
}

#[tokio::test]
async fn an_index_serves_each() {
    let db = database().await;
    stored(&db).await;
    assert_queries_indexed(&schema![Host, Line], &db).await;
}

#[tokio::test]
async fn in_a_transaction() {
    let db = database().await;
    stored(&db).await;
    let counts = transaction(&db, |tx| async move {
        let line = Line { id: 1_000, host: Ref::new(3), address: String::new(), time: 9, text: "new".into() };
        Line::insert(&tx, &line).await?;
        let lines = Line::of_address("10.0.0.3");
        Ok::<_, Error>((
            lines.clone().count(&tx).await?,
            lines.fetch_all(&tx).await?[0].time,
            Host::busy(7).fetch(&tx).await?.items.len(),
        ))
    });
    assert_eq!(counts.await.unwrap(), (4, 9, 1));
}

#[test]
fn what_was_said_is_in_the_definition() {
    assert_eq!(Host::DEFINITION.inverses[0].per_day, Some(500));
    assert_eq!(Host::DEFINITION.field("ipaddr").unwrap().changes_per_day, Some(2));
    assert_eq!(Line::DEFINITION.reads_per_day("address", "address"), Some(20_020));
    assert_eq!(Host::DEFINITION.reads_per_day("ipaddr", "ipaddr"), None, "not every query says how often it runs");
}
