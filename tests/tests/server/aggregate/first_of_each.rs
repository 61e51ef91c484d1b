//! The first document of each group, by one key of an index for each group, and the findings of an `explain`.

use std::collections::BTreeMap;

use mongodb::bson::{Document, doc};
use schema_runtime::{
    assert_indexed, assert_queries_indexed, check_indexed,
    explain::{Explain, ReadProblem, problems},
    prelude::*,
};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logs", allow(unused_index, reason = "aggregations read by the indexes"))]
#[query(latest, aggregate = Latest, per_day = 9)]
#[index(level, note, name = "by_note")]
struct Log {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(time))]
    host: Ref<Host>,
    time: i64,
    text: String,
    level: String,
    note: Option<String>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Log)]
struct Line {
    #[serde(rename = "_id")]
    id: i64,
    note: Option<String>,
}

/// The newest line of each host. All values are of one document.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Log, by(host))]
struct Latest {
    host: Ref<Host>,
    #[first(text, order = desc(time))]
    text: String,
    #[first(note, order = desc(time))]
    note: Option<String>,
    #[top(1, order = desc(time))]
    line: Vec<Line>,
    #[lookup(host.name)]
    name: Option<String>,
}

/// The oldest line of each host: the last of the newest lines.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Log, by(host))]
struct Oldest {
    host: Ref<Host>,
    #[last(text, order = desc(time))]
    text: String,
}

/// A count reads each document.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Log, by(host))]
struct Counted {
    host: Ref<Host>,
    #[first(text, order = desc(time))]
    text: String,
    #[count]
    lines: i64,
}

/// No index has this order.
#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Log, by(host))]
struct Shortest {
    host: Ref<Host>,
    #[first(id, order = asc(text))]
    id: i64,
}

const HOSTS: i64 = 8;

async fn filled(db: &Database) -> Vec<Log> {
    schema().plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    for id in 0..HOSTS {
        Host::insert(db, &Host { id, name: format!("host {id}") }).await.unwrap();
    }
    let mut rng = fastrand::Rng::with_seed(5);
    let log = |id| Log {
        id,
        host: Ref::new(rng.i64(0..HOSTS)),
        // Several lines of a host have one time.
        time: rng.i64(0..20),
        text: format!("text {}", rng.u32(0..1_000)),
        level: ["info", "warn"][rng.usize(0..2)].to_owned(),
        note: rng.bool().then(|| "note".to_owned()),
    };
    let logs: Vec<Log> = (0..1_000).map(log).collect();
    Log::insert_many(db, &logs).await.unwrap();
    logs
}

fn schema() -> schema_runtime::Schema {
    schema![Log, Host]
}

/// Returns the newest line of each host. Of lines with one time, the line with the greatest `_id` is the newest.
fn newest(logs: &[Log], is_kept: impl Fn(&Log) -> bool) -> BTreeMap<i64, &Log> {
    let mut newest: BTreeMap<i64, &Log> = BTreeMap::new();
    for log in logs.iter().filter(|log| is_kept(log)) {
        let first = newest.entry(*log.host.id()).or_insert(log);
        if (log.time, log.id) > (first.time, first.id) {
            *first = log;
        }
    }
    newest
}

fn latest(log: &Log) -> Latest {
    Latest {
        host: log.host,
        text: log.text.clone(),
        note: log.note.clone(),
        line: vec![Line { id: log.id, note: log.note.clone() }],
        name: Some(format!("host {}", log.host.id())),
    }
}

fn by_host<T>(rows: Vec<T>, host: impl Fn(&T) -> i64) -> BTreeMap<i64, T> {
    rows.into_iter().map(|row| (host(&row), row)).collect()
}

/// Returns the numbers of the examined keys and documents of the first stage, and whether the server skipped from group
/// to group.
async fn examined(db: &Database, read: &impl Explain) -> (i64, i64, bool) {
    let explained = read.explain(db).await.unwrap();
    let inside = explained.get_array("stages").ok().and_then(|stages| stages[0].as_document());
    let first = inside.and_then(|stage| stage.get_document("$cursor").ok()).unwrap_or(&explained);
    let counts = first.get_document("executionStats").unwrap();
    let count = |name| counts.get_i32(name).map(i64::from).or_else(|_| counts.get_i64(name)).unwrap();
    let skips = first.get_document("queryPlanner").unwrap().to_string().contains("DISTINCT_SCAN");
    (count("totalKeysExamined"), count("totalDocsExamined"), skips)
}

#[tokio::test]
async fn the_server_reads_one_key_of_the_index_for_each_group() {
    let (db, log) = database_with_log().await;
    let logs = filled(&db).await;
    let read = || Log::aggregate::<Latest>();
    let expected: BTreeMap<i64, Latest> =
        newest(&logs, |_| true).into_iter().map(|(id, log)| (id, latest(log))).collect();
    log.clear();
    assert_eq!(by_host(read().fetch_all(&db).await.unwrap(), |row| *row.host.id()), expected);
    assert_eq!(log.commands().len(), 1);
    assert_eq!(examined(&db, &read()).await, (HOSTS, HOSTS, true));
    assert_indexed(&read(), &db).await;
    assert_queries_indexed(&schema(), &db).await;

    // The last of the newest is the first in the opposite order.
    let oldest = Log::aggregate::<Oldest>();
    assert_eq!(examined(&db, &oldest).await, (HOSTS, HOSTS, true));
    for row in oldest.fetch_all(&db).await.unwrap() {
        let of = logs.iter().filter(|log| log.host == row.host);
        assert_eq!(row.text, of.min_by_key(|log| (log.time, log.id)).unwrap().text);
    }

    // A condition on the key leaves fewer groups; the server skips as well.
    let few = || read().filter(Log::F.host.is_in([Ref::new(1), Ref::new(2), Ref::new(77)]));
    let (keys, documents, skips) = examined(&db, &few()).await;
    assert!(keys <= 6 && documents == 2 && skips, "{keys} keys, {documents} documents");
    let rows = by_host(few().fetch_all(&db).await.unwrap(), |row| *row.host.id());
    assert_eq!(
        rows,
        newest(&logs, |log| [1, 2].contains(log.host.id())).into_iter().map(|(id, log)| (id, latest(log))).collect()
    );
    let sorted = read().having(Latest::F.text.lt("text 5")).sort(Latest::F.host.desc()).limit(2);
    let rows: Vec<i64> = sorted.fetch_all(&db).await.unwrap().iter().map(|row| *row.host.id()).collect();
    let mut hosts: Vec<i64> = expected.values().filter(|row| *row.text < *"text 5").map(|row| *row.host.id()).collect();
    hosts.reverse();
    hosts.truncate(2);
    assert_eq!(rows, hosts);
}

/// Without an index in the order, a sort of all documents would be the slower pipeline.
#[tokio::test]
async fn nothing_is_sorted_where_no_index_gives_the_order() {
    let (db, log) = database_with_log().await;
    let logs = filled(&db).await;
    let stages = || {
        let commands = log.named("aggregate");
        let pipeline = commands.last().unwrap().get_array("pipeline").unwrap().clone();
        pipeline.iter().filter_map(|stage| stage.as_document()?.keys().next().cloned()).collect::<Vec<_>>()
    };
    Log::aggregate::<Counted>().fetch_all(&db).await.unwrap();
    assert_eq!(stages(), ["$group", "$project"]);
    Log::aggregate::<Shortest>().fetch_all(&db).await.unwrap();
    assert_eq!(stages(), ["$group", "$project"]);
    let first = |group: &str| [group, "$project", "$lookup", "$set", "$unset"].map(str::to_owned);
    Log::aggregate::<Latest>().hint("_id_").fetch_all(&db).await.unwrap();
    assert_eq!(stages(), first("$group"));
    Log::aggregate::<Latest>().case_insensitive().fetch_all(&db).await.unwrap();
    assert_eq!(stages(), first("$group"));
    let warnings = Log::aggregate::<Latest>().filter(Log::F.level.eq("warn"));
    let rows = by_host(warnings.fetch_all(&db).await.unwrap(), |row| *row.host.id());
    assert_eq!(stages()[..2], ["$match", "$group"]);
    assert_eq!(rows, newest(&logs, |log| log.level == "warn").into_iter().map(|(id, log)| (id, latest(log))).collect());
    Log::aggregate::<Latest>().fetch_all(&db).await.unwrap();
    assert_eq!(stages()[..2], ["$sort", "$group"]);
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[aggregate(of = Log, by(level))]
struct Levels {
    level: String,
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[aggregate(of = Log, by(note))]
struct Notes {
    note: Option<String>,
    #[first(id, order = asc(time))]
    id: i64,
}

/// A sparse or a partial index beside the keys loses no group.
#[tokio::test]
async fn each_kind_of_index_gives_the_same_groups() {
    let db = database().await;
    filled(&db).await;
    let logs = db.collection::<Document>("logs");
    logs.update_many(doc! { "_id": { "$lt": 500 }, "note": null }, doc! { "$unset": { "note": "" } }).await.unwrap();
    let groups = async || {
        let latest = by_host(Log::aggregate::<Latest>().fetch_all(&db).await.unwrap(), |row| *row.host.id());
        let oldest = by_host(Log::aggregate::<Oldest>().fetch_all(&db).await.unwrap(), |row| *row.host.id());
        let shortest = by_host(Log::aggregate::<Shortest>().fetch_all(&db).await.unwrap(), |row| *row.host.id());
        let mut levels = Log::aggregate::<Levels>().fetch_all(&db).await.unwrap();
        let mut notes = Log::aggregate::<Notes>().fetch_all(&db).await.unwrap();
        levels.sort();
        notes.sort();
        (latest, oldest, shortest, levels, notes)
    };
    let whole = groups().await;
    assert_eq!((whole.0.len(), whole.3.len(), whole.4.len()), (HOSTS as usize, 2, 2));
    let warnings = doc! { "partialFilterExpression": { "level": "warn", "host": 1_i64 } };
    let beside = [doc! {}, doc! { "sparse": true }, warnings, doc! { "hidden": true }];
    let keys = [
        doc! { "host": 1 },
        doc! { "host": 1, "time": -1 },
        doc! { "host": 1, "text": 1, "_id": 1 },
        doc! { "level": 1 },
        doc! { "note": 1 },
        doc! { "note": 1, "time": 1, "_id": 1 },
    ];
    for without in [false, true] {
        if without {
            logs.drop_index("host_1_time_-1__id_-1").await.unwrap();
        }
        for options in &beside {
            for keys in &keys {
                let mut index = doc! { "key": keys, "name": "beside" };
                index.extend(options.clone());
                db.run_command(doc! { "createIndexes": "logs", "indexes": [index.clone()] }).await.unwrap();
                assert_eq!(groups().await, whole, "{index}, without the index of the relation: {without}");
                logs.drop_index("beside").await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn a_sort_in_memory_before_the_groups_is_a_finding() {
    let db = database().await;
    filled(&db).await;
    db.collection::<Document>("logs").drop_index("host_1_time_-1__id_-1").await.unwrap();
    let found = check_indexed(&Log::aggregate::<Latest>(), &db).await.unwrap();
    assert_eq!(found, [ReadProblem::CollectionScan, ReadProblem::BlockingSort]);
}

/// More documents are examined than twice the documents of the filter.
#[tokio::test]
async fn an_index_that_does_not_hold_the_filter_is_a_finding() {
    let db = database().await;
    let logs = filled(&db).await;
    let examined = logs.iter().filter(|log| log.level == "warn").count() as u64;
    let handed_on = logs.iter().filter(|log| log.level == "warn" && log.time == 3).count() as u64;
    assert!(examined > 2 * handed_on + 10);
    let narrow = Log::F.level.eq("warn") & Log::F.time.eq(3);
    let found = check_indexed(&Log::aggregate::<Counted>().filter(narrow.clone()), &db).await.unwrap();
    let [ReadProblem::Examined { documents, returned, .. }] = found[..] else { panic!("{found:?}") };
    assert_eq!((documents, returned), (examined, handed_on));
    // A group without an order in the group has another engine in the server.
    let found = check_indexed(&Log::aggregate::<Levels>().filter(narrow), &db).await.unwrap();
    assert!(matches!(found[..], [ReadProblem::Examined { returned, .. }] if returned == handed_on), "{found:?}");
    let wide = Log::aggregate::<Counted>().filter(Log::F.level.eq("warn"));
    assert_indexed(&wide, &db).await;
}

/// Groups that do not fit into memory are written to the disk. The server of this test has little memory.
#[tokio::test]
async fn groups_on_the_disk_are_a_finding() {
    let (_server, db) = schema_tests::process::alone().await;
    filled(&db).await;
    for (name, bytes) in [
        ("internalDocumentSourceGroupMaxMemoryBytes", 2_000),
        ("internalQuerySlotBasedExecutionHashAggApproxMemoryUseInBytesBeforeSpill", 200),
        ("internalQueryMaxBlockingSortMemoryUsageBytes", 2_000),
    ] {
        db.client().database("admin").run_command(doc! { "setParameter": 1, name: bytes }).await.unwrap();
    }
    for explained in [
        Log::aggregate::<Each>().filter(Log::F.level.eq("warn")).explain(&db).await.unwrap(),
        Log::aggregate::<Shortest>().filter(Log::F.level.eq("warn")).explain(&db).await.unwrap(),
        Log::aggregate::<Each>().filter(Log::F.level.eq("warn")).sort(Each::F.time.asc()).explain(&db).await.unwrap(),
    ] {
        let found = problems(&explained);
        assert!(matches!(found[..], [ReadProblem::Spilled { spills: 1.. }]), "{found:?}");
        assert!(found[0].to_string().starts_with("the server wrote to the disk "), "{}", found[0]);
    }
}

#[derive(Aggregate, Deserialize, Clone, Debug, PartialEq)]
#[aggregate(of = Log, by(text))]
struct Each {
    text: String,
    #[sum(time)]
    time: i64,
}
