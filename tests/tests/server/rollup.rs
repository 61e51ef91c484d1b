//! What parents keep of their children: subsets, counts, sums, averages, least and greatest values.

mod costs;
mod faults;
mod models;
mod programs;
mod writes;

use std::collections::BTreeMap;

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Bson, Document, doc},
};

/// How many of the latest the hosts keep.
const KEEP: usize = 3;

async fn all(db: &Database, collection: &str) -> Vec<Document> {
    db.collection::<Document>(collection)
        .find(doc! {})
        .sort(doc! { "_id": 1 })
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap()
}

fn number(document: &Document, name: &str) -> i64 {
    match document.get(name) {
        Some(Bson::Int32(number)) => i64::from(*number),
        Some(Bson::Int64(number)) => *number,
        other => panic!("`{name}` is {other:?} in {document}"),
    }
}

/// Computes from the raw messages what each host must have, and compares.
async fn assert_right(db: &Database) {
    let mut of_host: BTreeMap<i64, Vec<Document>> = BTreeMap::new();
    for message in all(db, "logmsg").await {
        if let Some(Bson::Int64(host)) = message.get("host") {
            of_host.entry(*host).or_default().push(message);
        }
    }
    for host in all(db, "hosts").await {
        let mut messages = of_host.remove(&number(&host, "_id")).unwrap_or_default();
        messages.sort_by_key(|message| {
            let time = message.get_datetime("time").unwrap().timestamp_millis();
            std::cmp::Reverse((time, number(message, "_id")))
        });
        let sizes: Vec<i64> = messages.iter().map(|message| number(message, "size")).collect();
        assert_eq!(number(&host, "messages"), messages.len() as i64, "{host}");
        assert_eq!(number(&host, "totalBytes"), sizes.iter().sum::<i64>(), "{host}");
        let latest = |name: &str| sizes_of(&host, name);
        assert_eq!(latest("least"), sizes.iter().min().copied(), "{host}");
        assert_eq!(latest("greatest"), sizes.iter().max().copied(), "{host}");
        let average = host.get("average").and_then(Bson::as_f64);
        let expected = (!sizes.is_empty()).then(|| sizes.iter().sum::<i64>() as f64 / sizes.len() as f64);
        assert_eq!(average.map(|of| (of * 1e6).round()), expected.map(|of| (of * 1e6).round()), "{host}");
        let recent: Vec<Document> =
            host.get_array("recent").unwrap().iter().map(|line| line.as_document().unwrap().clone()).collect();
        let expected: Vec<Document> = messages
            .iter()
            .take(KEEP)
            .map(|message| {
                let field = |name: &str| message.get(name).cloned().unwrap();
                doc! { "_id": field("_id"), "time": field("time"), "text": field("text") }
            })
            .collect();
        assert_eq!(recent, expected, "{host}");
    }
}

fn sizes_of(host: &Document, name: &str) -> Option<i64> {
    match host.get(name) {
        None | Some(Bson::Null) => None,
        Some(_) => Some(number(host, name)),
    }
}

/// No mark is left anywhere.
async fn assert_no_marks(db: &Database) {
    for name in ["hosts", "logmsg", "counters"] {
        for document in all(db, name).await {
            for marks in ["_recompute", "_pending", "_left", "_gone", "_beat"] {
                let empty = match document.get(marks) {
                    None => true,
                    Some(Bson::Document(of)) => of.values().all(|of| of.as_array().is_some_and(Vec::is_empty)),
                    Some(_) => false,
                };
                assert!(empty, "{marks} in {document}");
            }
        }
    }
}
