//! Keyset pages of the children of a parent.

mod property;

use mongodb::bson::{Bson, Document, Timestamp, doc};
use schema_runtime::{Error, PageToken, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

/// Inserts 500 messages, five to a millisecond, in a mixed order.
async fn logged(db: &Database) -> (Host, Vec<LogMsg>) {
    let host = host("a");
    let mut messages: Vec<LogMsg> = (0..500).map(|at| message(&host, at * 7 % 100, &at.to_string())).collect();
    let mut written = messages.clone();
    written.sort_by_key(|message| message.message.chars().rev().collect::<String>());
    insert(db, &written).await;
    index::<LogMsg>(db).await;
    messages.sort_by_key(|message| (message.time, message.id));
    messages.reverse();
    (host, messages)
}

#[tokio::test]
async fn pages_one_after_another_are_all_children() {
    let (db, log) = database_with_log().await;
    let (host, messages) = logged(&db).await;
    log.clear();
    let mut read = Vec::new();
    let mut pages = 0;
    let mut token: Option<PageToken> = None;
    loop {
        let page = host.logmsgs().paginate(60).after(&token).fetch(&db).await.unwrap();
        pages += 1;
        assert_eq!((page.len(), page.is_empty()), (if pages == 9 { 20 } else { 60 }, false));
        read.extend(page.iter().cloned());
        // The token as a client keeps it.
        token = page.next.map(|token| token.to_string().parse().unwrap());
        if token.is_none() {
            break;
        }
    }
    assert_eq!(read, messages);
    assert_eq!((pages, log.commands().len()), (9, 9));

    let first = command(log.named("find").remove(0));
    let expected = doc! {
        "find": "logmsg",
        "filter": { "host": host.id },
        "limit": 61_i64,
        "batchSize": 62,
        "sort": { "at": -1, "_id": -1 },
    };
    assert_eq!(first, expected);
    let second = log.named("find").remove(1);
    let (at, id) = (Bson::DateTime(messages[59].time), Bson::ObjectId(messages[59].id));
    let expected = doc! { "host": host.id, "$or": [
        { "$expr": { "$lt": ["$at", { "$literal": at.clone() }] } },
        { "at": at, "$expr": { "$lt": ["$_id", { "$literal": id }] } },
    ] };
    assert_eq!(second.get_document("filter").unwrap(), &expected);
}

#[tokio::test]
async fn the_last_page_may_be_full() {
    let db = database().await;
    let (host, _) = logged(&db).await;
    let page = host.logmsgs().paginate(500).fetch(&db).await.unwrap();
    assert_eq!((page.len(), page.next), (500, None));
    let page = host.logmsgs().paginate(499).fetch(&db).await.unwrap();
    let last = host.logmsgs().paginate(499).after(&page.next.unwrap()).fetch(&db).await.unwrap();
    assert_eq!((last.len(), last.next), (1, None));
    let page = host.logmsgs().paginate(u32::MAX).fetch(&db).await.unwrap();
    assert_eq!((page.len(), page.next), (500, None));
    let page = host.logmsgs().paginate(0).fetch(&db).await.unwrap();
    assert_eq!(page.len(), 1, "a page of none would never end");
    let page = crate::relations::host("empty").logmsgs().paginate(5).fetch(&db).await.unwrap();
    assert!(page.is_empty() && page.next.is_none());
}

#[tokio::test]
async fn a_deep_page_examines_as_many_keys_as_the_first() {
    let db = database().await;
    let (host, _) = logged(&db).await;
    assert_index_scan(&host.logmsgs().paginate(50).explain(&db).await.unwrap(), 51);
    let deep = host.logmsgs().paginate(403).fetch(&db).await.unwrap().next.unwrap();
    let explain = host.logmsgs().paginate(50).after(&deep).explain(&db).await.unwrap();
    assert_index_scan(&explain, 53);
    assert!(stages(&explain).contains("SORT_MERGE"));

    insert(&db, &scores(&host)).await;
    index::<Score>(&db).await;
    let deep = Score::of_host(&host).paginate(20).fetch(&db).await.unwrap().next.unwrap();
    assert_index_scan(&Score::of_host(&host).paginate(5).after(&deep).explain(&db).await.unwrap(), 10);
}

fn scores(host: &Host) -> Vec<Score> {
    let values = [f64::NAN, f64::NEG_INFINITY, -1.5, 0.0, -0.0, 3.0, f64::INFINITY];
    let scores = (0..42_i64).map(|id| Score {
        id,
        host: Some(Ref::to(host)),
        group: ["", "a", "b"][id as usize % 3].to_owned(),
        value: values[id as usize * 5 % 7],
    });
    scores.collect()
}

#[tokio::test]
async fn a_projection_is_sent_with_the_fields_of_the_order() {
    let (db, log) = database_with_log().await;
    let (host, messages) = logged(&db).await;
    log.clear();
    let page = host.logmsgs().paginate(3).select::<LogLine>().fetch(&db).await.unwrap();
    let next = page.next.unwrap();
    let page = host.logmsgs().select::<LogLine>().paginate(3).after(&next).fetch(&db).await.unwrap();
    let lines: Vec<&str> = page.iter().map(|line| line.message.as_str()).collect();
    assert_eq!(lines, messages[3..6].iter().map(|message| message.message.as_str()).collect::<Vec<_>>());
    for find in log.named("find") {
        assert_eq!(find.get_document("projection").unwrap(), &doc! { "_id": 1, "message": 1, "at": 1 });
    }
}

#[tokio::test]
async fn a_cursor_of_another_query_is_refused() {
    let (db, log) = database_with_log().await;
    let (host, _) = logged(&db).await;
    insert(&db, &scores(&host)).await;
    let token = host.logmsgs().paginate(3).fetch(&db).await.unwrap().next.unwrap();
    let other = crate::relations::host("other");
    log.clear();
    let refused =
        |error: Error| assert!(matches!(error, Error::PageToken { reason } if reason.contains("another")), "{error}");
    refused(other.logmsgs().paginate(3).after(&token).fetch(&db).await.unwrap_err());
    refused(other.logmsgs().paginate(3).after(&token).explain(&db).await.unwrap_err());
    refused(Score::of_host(&host).paginate(3).after(&token).fetch(&db).await.unwrap_err());
    assert_eq!(log.commands(), [], "before anything is asked");
    let text = token.to_string();
    let damaged = text.replacen(|digit: char| digit != '0', "0", 1).parse::<PageToken>().unwrap_err();
    assert_eq!(damaged.to_string(), "this page token cannot be used: it is damaged");
    let as_json = serde_json::to_string(&token).unwrap();
    assert_eq!(as_json, format!("\"{text}\""));
    assert_eq!(serde_json::from_str::<PageToken>(&as_json).unwrap(), token);
    assert!(serde_json::from_str::<PageToken>("\"00\"").is_err());
}

/// Every document of a parent is on exactly one page, also a document of another client that does not fit the struct.
#[tokio::test]
async fn pages_cross_the_types_of_values() {
    let db = database().await;
    let host = host("a");
    index::<LogMsg>(&db).await;
    let times: Vec<Bson> = vec![
        Bson::Null,
        Bson::MinKey,
        Bson::MaxKey,
        5.into(),
        f64::NAN.into(),
        Bson::from("2020-01-01"),
        Bson::from(doc! { "$date": 5 }),
        true.into(),
        ObjectId::new().into(),
        DateTime::from_millis(1).into(),
        DateTime::from_millis(2).into(),
        Bson::Timestamp(Timestamp { time: 1, increment: 1 }),
    ];
    let ids = |at: usize| {
        [
            Bson::from(ObjectId::new()),
            Bson::from(at as i64),
            Bson::from(format!("id {at}")),
            Bson::from(doc! { "at": at as i64 }),
        ]
    };
    let mut written =
        vec![doc! { "_id": "absent 1", "host": host.id, "message": "" }, doc! { "_id": 77, "host": host.id }];
    for (at, time) in times.iter().enumerate() {
        written.extend(ids(at).map(|id| doc! { "_id": id, "host": host.id, "at": time, "message": format!("{time}") }));
    }
    let count = written.len();
    insert_raw::<LogMsg>(&db, written).await;

    let messages = db.collection::<Document>("logmsg");
    let in_order = messages.find(doc! { "host": host.id }).sort(doc! { "at": -1, "_id": -1 });
    let in_order: Vec<Document> = futures_util::TryStreamExt::try_collect(in_order.await.unwrap()).await.unwrap();
    let expected: Vec<Bson> = in_order.into_iter().map(|mut document| document.remove("_id").unwrap()).collect();
    assert_eq!(expected.len(), count);
    for size in [1, 3, 10] {
        let mut read: Vec<Bson> = Vec::new();
        let mut token: Option<PageToken> = None;
        loop {
            let page = host.logmsgs().paginate(size).after(&token).fetch(&db).await.unwrap();
            read.extend(page.items.entries().map(|entry| match entry {
                schema_runtime::join::JoinEntry::Found(message) => Bson::from(message.id),
                schema_runtime::join::JoinEntry::Failed(Error::Decode { id, .. }) => (**id).clone(),
                other => panic!("{other:?}"),
            }));
            assert!(read.len() <= count, "a document comes twice");
            token = page.next;
            if token.is_none() {
                break;
            }
        }
        assert_eq!(read, expected);
    }
}

#[tokio::test]
async fn children_that_hold_an_array_of_parents_have_pages() {
    let db = database().await;
    let parts = parts(3);
    let products: Vec<Product> = (0..25).map(|at| product(&parts[at % 2..=at % 2 + 1])).collect();
    insert(&db, &products).await;
    index::<Product>(&db).await;
    let mut expected: Vec<ObjectId> = products.iter().map(|product| product.id).collect();
    expected.sort();
    expected.reverse();
    let mut read = Vec::new();
    let mut token: Option<PageToken> = None;
    loop {
        let page = parts[1].products().paginate(4).after(&token).fetch(&db).await.unwrap();
        read.extend(page.iter().map(|product| product.id));
        token = page.next;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(read, expected);
}

#[tokio::test]
async fn children_that_come_and_go_neither_repeat_nor_hide_others() {
    let db = database().await;
    let (host, messages) = logged(&db).await;
    let first = host.logmsgs().paginate(100).fetch(&db).await.unwrap();
    let gone = messages[99].id;
    db.collection::<LogMsg>("logmsg").delete_one(doc! { "_id": gone }).await.unwrap();
    insert(&db, &[message(&host, 1_000, "new")]).await;
    let second = host.logmsgs().paginate(100).after(&first.next.unwrap()).fetch(&db).await.unwrap();
    assert_eq!(second.iter().collect::<Vec<_>>(), messages[100..200].iter().collect::<Vec<_>>());
}
