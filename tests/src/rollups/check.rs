//! A check of the values that hosts keep of their messages, computed from the raw documents. The check uses
//! `finish_writes` and nothing else of the crate.

use std::{cmp::Reverse, collections::BTreeMap};

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc, oid::ObjectId},
};

/// The number of latest messages that a host keeps.
const KEEP: usize = 3;

/// Returns all documents of a collection, sorted by `_id`.
pub async fn all(db: &Database, collection: &str) -> Vec<Document> {
    let found = db.collection::<Document>(collection).find(doc! {}).sort(doc! { "_id": 1 }).await.expect("a read");
    found.try_collect().await.expect("documents")
}

pub(super) fn number(document: &Document, name: &str) -> i64 {
    match document.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        other => panic!("`{name}` is {other:?} in {document}"),
    }
}

/// The values that a host keeps. The average is in millionths.
#[derive(Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) messages: i64,
    pub(super) total: i64,
    pub(super) least: Option<i64>,
    pub(super) greatest: Option<i64>,
    pub(super) average: Option<i64>,
    pub(super) recent: Vec<Document>,
}

fn millionths(average: f64) -> i64 {
    (average * 1e6).round() as i64
}

impl Kept {
    /// Reads the stored values of a host.
    pub(super) fn of(host: &Document) -> Self {
        let number_or_none = |name: &str| match host.get(name) {
            None | Some(Bson::Null) => None,
            Some(_) => Some(number(host, name)),
        };
        let recent = host.get_array("recent").expect("the latest").iter();
        Kept {
            messages: number(host, "messages"),
            total: number(host, "totalBytes"),
            least: number_or_none("least"),
            greatest: number_or_none("greatest"),
            average: host.get("average").and_then(Bson::as_f64).map(millionths),
            recent: recent.map(|line| line.as_document().expect("a line").clone()).collect(),
        }
    }

    /// Computes the right values from the messages of the host.
    pub(super) fn from(mut messages: Vec<Document>) -> Self {
        messages.sort_by_key(|message| {
            let time = message.get_datetime("time").expect("a time").timestamp_millis();
            Reverse((time, number(message, "_id")))
        });
        let sizes: Vec<i64> = messages.iter().map(|message| number(message, "size")).collect();
        let total: i64 = sizes.iter().sum();
        let line = |message: &Document| {
            let field = |name: &str| message.get(name).cloned().expect("a field");
            doc! { "_id": field("_id"), "time": field("time"), "text": field("text") }
        };
        Kept {
            messages: messages.len() as i64,
            total,
            least: sizes.iter().min().copied(),
            greatest: sizes.iter().max().copied(),
            average: (!sizes.is_empty()).then(|| millionths(total as f64 / sizes.len() as f64)),
            recent: messages.iter().take(KEEP).map(line).collect(),
        }
    }
}

/// Returns the hosts with wrong kept values, each with the stored and the right values.
pub async fn wrong(db: &Database) -> Vec<String> {
    let mut of_host: BTreeMap<i64, Vec<Document>> = BTreeMap::new();
    for message in all(db, "logmsg").await {
        if let Some(Bson::Int64(host)) = message.get("host") {
            of_host.entry(*host).or_default().push(message);
        }
    }
    let mut wrong = Vec::new();
    for host in all(db, "hosts").await {
        let expected = Kept::from(of_host.remove(&number(&host, "_id")).unwrap_or_default());
        if Kept::of(&host) != expected {
            wrong.push(format!("{host} should have {expected:?}"));
        }
    }
    wrong
}

/// Waits for the writes of this process, and checks that all hosts keep the values of their messages.
///
/// # Panics
/// If a host keeps a wrong value.
pub async fn assert_right(db: &Database) {
    schema_runtime::finish_writes(db).await;
    let wrong = wrong(db).await;
    assert!(wrong.is_empty(), "{wrong:?}, left: {:?}", left(db).await);
}

/// Returns the pending differences of existing hosts and counters.
pub async fn left(db: &Database) -> Vec<Document> {
    let (hosts, counters) = (all(db, "hosts").await, all(db, "counters").await);
    let mut left = all(db, "schema_deltas").await;
    left.retain(|left| {
        let id = left.get_document("_id").expect("a path and a parent");
        let parents = if id.get_str("path").is_ok_and(|path| path == "logmsg_host") { &hosts } else { &counters };
        parents.iter().any(|parent| parent.get("_id") == id.get("parent"))
    });
    left
}

/// Waits for the writes of this process, and checks that no difference is left for an existing parent.
///
/// # Panics
/// If a difference is left.
pub async fn assert_nothing_left(db: &Database) {
    schema_runtime::finish_writes(db).await;
    assert_eq!(left(db).await, [] as [Document; 0]);
}

/// Writes a pending difference of this path for each parent, with these sums.
pub async fn leave_differences(db: &Database, path: &str, parents: impl IntoIterator<Item = i64>, sums: Document) {
    let difference = |parent: i64| {
        let id = doc! { "path": path, "parent": parent, "id": ObjectId::new() };
        doc! { "_id": id, "count": 0_i64, "sums": sums.clone(), "extremes": false }
    };
    let left: Vec<Document> = parents.into_iter().map(difference).collect();
    db.collection("schema_deltas").insert_many(left).await.expect("an insert");
}
