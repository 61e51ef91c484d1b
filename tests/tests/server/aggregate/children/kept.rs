//! Values of children beside the rollups of the parents.

use schema_runtime::prelude::*;
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kept_hosts")]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(LogMsg::host))]
    messages: i64,
    #[serde(rename = "total")]
    #[computed(sum(LogMsg::host, bytes))]
    traffic: i64,
    #[computed(max(LogMsg::host, at))]
    last: Option<i64>,
    #[subset(of = LogMsg::host, keep = 2, order = desc(at))]
    recent: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Line {
    #[serde(rename = "_id")]
    id: i64,
    at: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "kept_messages")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(at))]
    host: Ref<Host>,
    at: i64,
    bytes: i64,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = LogMsg)]
struct LogLine {
    #[serde(rename = "_id")]
    id: i64,
    at: i64,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = LogMsg)]
struct LongLine {
    at: i64,
    bytes: i64,
}

/// The stored values beside the same values of the children.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Host, allow(aggregate_kept, reason = "the test compares the values"))]
struct Compared {
    id: i64,
    messages: i64,
    traffic: i64,
    last: Option<i64>,
    recent: Vec<Line>,
    #[count(LogMsg::host)]
    counted: i64,
    #[sum(LogMsg::host, bytes)]
    summed: i64,
    #[max(LogMsg::host, at)]
    greatest: Option<i64>,
    #[top(2, of = LogMsg::host, order = desc(at))]
    newest: Vec<LogLine>,
    #[last(LogMsg::host, id, order = asc(at))]
    newest_id: Option<i64>,
}

/// Values of the children that no rollup keeps. The struct is visible outside of this file, and the children are not.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Host)]
pub(crate) struct Further {
    id: i64,
    messages: i64,
    #[count(LogMsg::host, where(gte(bytes, 20)))]
    large: i64,
    #[sum(LogMsg::host, bytes * 8)]
    bits: i64,
    #[sum(LogMsg::host, at)]
    other_sum: i64,
    #[min(LogMsg::host, at)]
    least: Option<i64>,
    #[top(3, of = LogMsg::host, order = desc(at))]
    more: Vec<LogLine>,
    #[top(1, of = LogMsg::host, order = asc(at))]
    oldest: Vec<LogLine>,
    #[top(2, of = LogMsg::host, order = desc(at))]
    longer: Vec<LongLine>,
    #[first(LogMsg::host, bytes, order = desc(at))]
    newest_bytes: Option<i64>,
    #[last(LogMsg::host, at, order = desc(at))]
    first: Option<i64>,
}

/// Stores two hosts; the second host has no messages.
async fn fill(db: &Database) {
    let host = |id: i64| Host { id, messages: 0, traffic: 0, last: None, recent: Vec::new() };
    Host::insert_many(db, &[host(1), host(2)]).await.expect("inserted");
    let message = |id: i64| LogMsg { id, host: Ref::new(1), at: 100 + id, bytes: id * 10 };
    LogMsg::insert_many(db, &[message(1), message(2), message(3)]).await.expect("inserted");
}

#[tokio::test]
async fn an_aggregation_with_a_reason_reads_the_children() {
    let db = database().await;
    fill(&db).await;
    let rows = Host::aggregate::<Compared>().sort(Compared::F.id.asc()).fetch_all(&db).await.expect("read");
    for row in &rows {
        assert_eq!((row.messages, row.traffic, row.last), (row.counted, row.summed, row.greatest));
        let kept: Vec<_> = row.recent.iter().map(|line| (line.id, line.at)).collect();
        assert_eq!(kept, row.newest.iter().map(|line| (line.id, line.at)).collect::<Vec<_>>());
        assert_eq!(row.newest_id, row.recent.first().map(|line| line.id));
    }
    assert_eq!(rows.iter().map(|row| row.counted).collect::<Vec<_>>(), [3, 0]);
}

#[tokio::test]
async fn a_field_of_the_parent_stands_beside_further_values() {
    let (db, log) = database_with_log().await;
    fill(&db).await;
    log.clear();
    let rows = Host::aggregate::<Further>().sort(Further::F.id.asc()).limit(1).fetch_all(&db).await.expect("read");
    let line = |id: i64| LogLine { id, at: 100 + id };
    let long = |id: i64| LongLine { at: 100 + id, bytes: id * 10 };
    let expected = Further {
        id: 1,
        messages: 3,
        large: 2,
        bits: 480,
        other_sum: 306,
        least: Some(101),
        more: vec![line(3), line(2), line(1)],
        oldest: vec![line(1)],
        longer: vec![long(3), long(2)],
        newest_bytes: Some(30),
        first: Some(101),
    };
    assert_eq!(rows, [expected]);
    assert!(log.named("find").is_empty(), "{:?}", log.commands());
}
