//! Children that refer to their parent: the latest children of a single parent, of each of many parents, and all
//! children as a stream.

mod filtered;
mod memory;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

/// Inserts hosts with messages. Three messages at a time have the same millisecond; hosts have different numbers of
/// messages.
async fn logged(db: &Database, hosts: usize) -> (Vec<Host>, Vec<LogMsg>) {
    let hosts: Vec<Host> = (0..hosts).map(|number| host(&format!("host {number}"))).collect();
    let mut messages = Vec::new();
    for (number, host) in hosts.iter().enumerate() {
        messages.extend((0..10 * number as i64).map(|at| message(host, (at * 7 % 30) / 3, &format!("{number}.{at}"))));
    }
    // The documents are written in another order than the order of `_id`.
    let mut written = messages.clone();
    written.sort_by_key(|message| message.message.chars().rev().collect::<String>());
    insert(db, &hosts).await;
    insert(db, &written).await;
    index::<LogMsg>(db).await;
    (hosts, messages)
}

/// Returns the messages of a host in the relation's order.
fn of<'m>(host: &Host, messages: &'m [LogMsg]) -> Vec<&'m LogMsg> {
    let mut messages: Vec<&LogMsg> = messages.iter().filter(|message| *message.host.id() == host.id).collect();
    messages.sort_by_key(|message| (message.time, message.id));
    messages.reverse();
    messages
}

#[tokio::test]
async fn the_latest_of_one_parent_by_one_find() {
    let (db, log) = database_with_log().await;
    let (hosts, messages) = logged(&db, 6).await;
    log.clear();

    let latest = hosts[5].logmsgs().latest(20).fetch_all(&db).await.unwrap();
    assert_eq!(latest.iter().collect::<Vec<_>>(), of(&hosts[5], &messages)[..20]);
    let commands: Vec<Document> = log.commands().into_iter().map(|(_, sent)| command(sent)).collect();
    let expected = doc! {
        "find": "logmsg",
        "filter": { "host": hosts[5].id },
        "limit": 20_i64,
        "batchSize": 21,
        "sort": { "at": -1, "_id": -1 },
    };
    assert_eq!(commands, [expected]);

    assert_eq!(hosts[5].logmsgs().latest(5_000).fetch_all(&db).await.unwrap().len(), 50);
    assert_eq!(LogMsg::of_host(&hosts[1]).latest(3).fetch_all(&db).await.unwrap().len(), 3);
    assert!(hosts[0].logmsgs().latest(3).fetch_all(&db).await.unwrap().is_empty());
    log.clear();
    assert!(hosts[5].logmsgs().latest(0).fetch_all(&db).await.unwrap().is_empty(), "no limit is not none");
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn all_of_one_parent() {
    let (db, log) = database_with_log().await;
    let (hosts, messages) = logged(&db, 6).await;
    log.clear();
    let all = hosts[4].logmsgs().fetch_all(&db).await.unwrap();
    assert_eq!(all.iter().collect::<Vec<_>>(), of(&hosts[4], &messages));
    assert_eq!(log.named("find")[0].get_document("sort").unwrap(), &doc! { "at": -1, "_id": -1 });
    assert_eq!(hosts[4].logmsgs().count(&db).await.unwrap(), 40);
    assert_eq!(hosts[0].logmsgs().count(&db).await.unwrap(), 0);
}

#[tokio::test]
async fn a_projection_is_sent() {
    let (db, log) = database_with_log().await;
    let (hosts, messages) = logged(&db, 4).await;
    log.clear();

    let expected: Vec<&str> = of(&hosts[3], &messages).into_iter().map(|message| message.message.as_str()).collect();
    let lines = hosts[3].logmsgs().select::<LogLine>().latest(5).fetch_all(&db).await.unwrap();
    assert_eq!(lines.iter().map(|line| line.message.as_str()).collect::<Vec<_>>(), expected[..5]);
    let lines = hosts[3].logmsgs().select::<LogLine>().fetch_all(&db).await.unwrap();
    assert_eq!(lines.iter().map(|line| line.message.as_str()).collect::<Vec<_>>(), expected);
    for find in log.named("find") {
        assert_eq!(find.get_document("projection").unwrap(), &doc! { "_id": 1, "message": 1 });
    }
    let lines = Host::LOGMSGS.select::<LogLine>().load(&db, &hosts).await.unwrap();
    assert_eq!(lines.of(&hosts[3]).iter().map(|line| line.message.as_str()).collect::<Vec<_>>(), expected);
    let lines = Host::LOGMSGS.latest(2).select::<LogLine>().load(&db, &hosts).await.unwrap();
    assert_eq!(lines.of(&hosts[3]).iter().map(|line| line.message.as_str()).collect::<Vec<_>>(), expected[..2]);
}

#[tokio::test]
async fn the_latest_of_each_of_many_parents() {
    let (db, log) = database_with_log().await;
    let (hosts, messages) = logged(&db, 9).await;
    log.clear();

    let latest = Host::LOGMSGS.latest(15).load(&db, &hosts).await.unwrap();
    assert_eq!(log.commands().len(), 1, "no command per parent");
    for host in &hosts {
        let expected = of(host, &messages);
        let view = latest.of(host);
        assert_eq!(view.iter().collect::<Vec<_>>(), expected[..expected.len().min(15)]);
        assert!(view.is_complete());
    }
    assert!(latest.of(&hosts[0]).is_loaded(), "a parent without children is loaded");
    assert!(!latest.of(&host("stranger")).is_loaded());

    // As many keys as children: 8 hosts have messages, and the first of the 8 hosts has 10.
    let explain = Host::LOGMSGS.latest(15).explain(&db, &hosts).await.unwrap();
    let stages = explain.get_array("stages").unwrap();
    let lookup = stages.iter().filter_map(Bson::as_document).find(|stage| stage.contains_key("$lookup")).unwrap();
    assert!((1..=10 + 7 * 15).contains(&examined(lookup, "totalKeysExamined")));
    assert_eq!(lookup.get_array("indexesUsed").unwrap(), &[Bson::from("host_1_at_-1__id_-1")]);

    log.clear();
    let none = Host::LOGMSGS.latest(0).load(&db, &hosts).await.unwrap();
    assert!(none.of(&hosts[8]).complete().unwrap().is_empty());
    assert_eq!(log.commands(), []);
}

#[tokio::test]
async fn many_parents_are_read_by_hundreds() {
    let (db, log) = database_with_log().await;
    let hosts: Vec<Host> = (0..250).map(|number| host(&number.to_string())).collect();
    let messages: Vec<LogMsg> = (0..750).map(|number| message(&hosts[number % 250], number as i64, "")).collect();
    insert(&db, &messages).await;
    index::<LogMsg>(&db).await;
    log.clear();

    let latest = Host::LOGMSGS.latest(2).load(&db, &hosts).await.unwrap();
    assert_eq!(log.named("aggregate").len(), 3);
    let all = Host::LOGMSGS.load(&db, &hosts).await.unwrap();
    let finds = log.named("find");
    assert_eq!((finds.len(), log.commands().len()), (3, 6));
    assert_eq!(finds[0].get_document("sort").unwrap(), &doc! { "host": 1, "at": -1, "_id": -1 });
    for host in &hosts {
        let expected = of(host, &messages);
        assert_eq!(latest.of(host).iter().collect::<Vec<_>>(), expected[..2]);
        assert_eq!(all.of(host).iter().collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn each_read_is_an_index_scan() {
    let db = database().await;
    let (hosts, _) = logged(&db, 9).await;
    assert_index_scan(&hosts[8].logmsgs().explain(&db).await.unwrap(), 80);
    assert_index_scan(&hosts[8].logmsgs().latest(7).explain(&db).await.unwrap(), 7);
    assert_index_scan(&hosts[8].logmsgs().latest(7).select::<LogLine>().explain(&db).await.unwrap(), 7);
    let parts = parts(20);
    let products: Vec<Product> = (0..20).map(|at| product(&parts[..at])).collect();
    insert(&db, &products).await;
    index::<Product>(&db).await;
    assert_index_scan(&parts[15].products().explain(&db).await.unwrap(), 4);
}

#[tokio::test]
async fn what_does_not_fit_is_reported() {
    let db = database().await;
    let (hosts, messages) = logged(&db, 2).await;
    let bad = ObjectId::new();
    insert_raw::<LogMsg>(
        &db,
        [doc! { "_id": bad, "host": hosts[1].id, "at": DateTime::from_millis(900), "message": 7 }],
    )
    .await;

    let latest = hosts[1].logmsgs().latest(3).fetch_all(&db).await.unwrap();
    assert_eq!(latest.iter().collect::<Vec<_>>(), of(&hosts[1], &messages)[..2]);
    assert!(
        matches!(latest.failed().collect::<Vec<_>>()[..], [Error::Decode { id, path, .. }] if path == "message" && **id == Bson::from(bad))
    );
    let text = latest.complete().unwrap_err().to_string();
    assert_eq!(text, "the join of `LogMsg.host` is not complete: 0 missing, 1 that do not fit");
    for loaded in
        [Host::LOGMSGS.load(&db, &hosts).await.unwrap(), Host::LOGMSGS.latest(3).load(&db, &hosts).await.unwrap()]
    {
        assert_eq!((loaded.failed().count(), loaded.of(&hosts[1]).failed().count()), (1, 1));
        assert!(loaded.of(&hosts[0]).is_complete() && !loaded.of(&hosts[1]).is_complete());
    }
}

#[tokio::test]
async fn a_stream_goes_on_after_what_does_not_fit() {
    use futures_util::TryStreamExt;
    let (db, log) = database_with_log().await;
    let (hosts, messages) = logged(&db, 5).await;
    insert_raw::<LogMsg>(&db, [doc! { "host": hosts[4].id, "at": DateTime::from_millis(4), "message": 7 }]).await;
    log.clear();

    let mut stream = hosts[4].logmsgs().stream(&db).await.unwrap();
    let (mut good, mut bad) = (Vec::new(), 0);
    while let Some(message) = stream.next().await {
        match message {
            Ok(message) => good.push(message),
            Err(Error::Decode { .. }) => bad += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!((good.iter().collect::<Vec<_>>(), bad), (of(&hosts[4], &messages), 1));
    assert!(stream.next().await.is_none());
    let find = log.named("find").remove(0);
    assert_eq!(
        (find.get_i32("batchSize").unwrap(), find.get_document("sort").unwrap()),
        (2_000, &doc! { "at": -1, "_id": -1 })
    );

    let stream = hosts[3].logmsgs().select::<LogLine>().stream(&db).await.unwrap();
    let lines: Vec<LogLine> = stream.try_collect().await.unwrap();
    let expected = of(&hosts[3], &messages).into_iter().map(|message| LogLine { message: message.message.clone() });
    assert_eq!(lines, expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_stream_ends_after_an_error_of_the_server() {
    let db = database().await;
    let host = host("a");
    let messages: Vec<LogMsg> = (0..4_500).map(|number| message(&host, number, "")).collect();
    insert(&db, &messages).await;
    let data = doc! { "failCommands": ["getMore"], "errorCode": 13 };
    let failure = schema_tests::fail_command(&db, doc! { "skip": 1 }, data).await;
    let mut stream = host.logmsgs().stream(&db).await.unwrap();
    let mut good = 0;
    let error = loop {
        match stream.next().await.unwrap() {
            Ok(_) => good += 1,
            Err(error) => break error,
        }
    };
    failure.clear().await;
    assert_eq!(good, 4_000);
    assert!(matches!(error, Error::Driver(_)), "{error}");
    assert!(stream.next().await.is_none());
}
