//! Pages with a total, and pages by number.

use schema_runtime::{Page, json, prelude::*};
use schema_tests::{Spans, database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMsg::host)]
struct Host {
    #[serde(rename = "_id")]
    id: i64,
    zone: i32,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
}

async fn fill(db: &Database, count: i64) {
    Host::insert_many(db, (0..count).map(|id| Host { id, zone: (id % 2) as i32 })).await.unwrap();
}

fn ids(page: &Page<Vec<Host>>) -> Vec<i64> {
    page.iter().map(|host| host.id).collect()
}

#[tokio::test]
async fn a_total_counts_the_whole_read_by_a_second_command() {
    let (db, log) = database_with_log().await;
    fill(&db, 50).await;
    log.clear();
    let even = || Host::find(Host::F.zone.eq(0)).sort(Host::F.id.asc()).paginate(10);
    let first = even().with_total().fetch(&db).await.unwrap();
    assert_eq!((first.len(), first.total, first.number_of_pages(10)), (10, Some(25), Some(3)));
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["find", "aggregate"]);
    // The total is of the whole read, at each place.
    let second = even().with_total().after(&first.next).fetch(&db).await.unwrap();
    assert_eq!((ids(&second), second.total), ((20..40).step_by(2).collect(), Some(25)));
    assert_eq!(even().last().with_total().fetch(&db).await.unwrap().total, Some(25));
    let without = even().fetch(&db).await.unwrap();
    assert_eq!((without.total, without.number_of_pages(10)), (None, None));

    for (most, total) in [(0, 1), (7, 7), (25, 25), (26, 25), (1_000, 25)] {
        assert_eq!(even().total_up_to(most).fetch(&db).await.unwrap().total, Some(total), "{most}");
    }
    assert_eq!(even().filter(Host::F.id.lt(0)).with_total().fetch(&db).await.unwrap().total, Some(0));
    let inside = schema_runtime::transaction(&db, |tx| async move {
        Host::insert(&tx, &Host { id: 100, zone: 0 }).await?;
        Ok::<_, Error>(even().with_total().fetch(&tx).await?.total)
    });
    assert_eq!(inside.await.unwrap(), Some(26));
}

#[tokio::test]
async fn the_children_of_a_parent_and_a_condition_on_children() {
    let db = database().await;
    fill(&db, 2).await;
    LogMsg::insert_many(&db, (0..7).map(|id| LogMsg { id, host: Ref::new(0) })).await.unwrap();
    let host = Host::get_by_id(&db, 0).await.unwrap();
    let page = host.logmsgs().paginate(3).with_total().fetch(&db).await.unwrap();
    assert_eq!((page.len(), page.total), (3, Some(7)));
    let third = host.logmsgs().paginate(3).page_number(3).total_up_to(5).fetch(&db).await.unwrap();
    assert_eq!((third.iter().map(|message| message.id).collect::<Vec<i64>>(), third.total), (vec![0], Some(5)));
    let noisy = Host::find(Filter::all()).having(Host::LOGMSGS.some(Filter::all())).paginate(5);
    assert_eq!(noisy.with_total().fetch(&db).await.unwrap().total, Some(1));
}

#[tokio::test]
async fn a_page_by_number_is_the_page_by_place() {
    let db = database().await;
    fill(&db, 25).await;
    let pages = || Host::find(Filter::all()).sort(Host::F.id.desc()).paginate(10);
    let first = pages().fetch(&db).await.unwrap();
    let second = pages().after(&first.next).fetch(&db).await.unwrap();
    for number in [0, 1] {
        let by_number = pages().page_number(number).fetch(&db).await.unwrap();
        assert_eq!((ids(&by_number), &by_number.next, &by_number.previous), (ids(&first), &first.next, &None));
    }
    let by_number = pages().page_number(2).fetch(&db).await.unwrap();
    assert_eq!((ids(&by_number), &by_number.next, &by_number.previous), (ids(&second), &second.next, &second.previous));
    // The places of a page by number read on.
    assert_eq!(ids(&pages().before(&by_number.previous).fetch(&db).await.unwrap()), ids(&first));
    let last = pages().page_number(3).with_total().fetch(&db).await.unwrap();
    assert_eq!((ids(&last), last.has_next(), last.total), ((0..5).rev().collect(), false, Some(25)));
    let behind = pages().page_number(4).fetch(&db).await.unwrap();
    assert!(behind.is_empty() && !behind.has_next() && !behind.has_previous());
    assert_eq!(ids(&pages().page_number(None).fetch(&db).await.unwrap()), ids(&first));

    for wrong in
        [pages().page_number(2).after(&first.next), pages().page_number(2).last(), pages().page_number(u64::MAX)]
    {
        assert!(matches!(wrong.fetch(&db).await, Err(Error::Query { .. })));
    }
}

#[tokio::test]
async fn a_large_page_number_is_an_event() {
    let db = database().await;
    let (spans, _guard) = Spans::collect();
    let pages = || Host::find(Host::F.zone.eq(77)).paginate(100);
    pages().page_number(11).fetch(&db).await.unwrap();
    assert!(spans.events().is_empty());
    pages().page_number(12).fetch(&db).await.unwrap();
    let events = spans.events();
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((events[0]["collection"].as_str(), events[0]["skipped"].as_str()), ("hosts", "1100"));
    assert!(!format!("{events:?}").contains("77"), "{events:?}");
}

#[tokio::test]
async fn the_json_of_a_page_has_the_total() {
    let db = database().await;
    fill(&db, 3).await;
    let pages = || Host::find(Filter::all()).sort(Host::F.id.asc()).paginate(2);
    let with = json::to_json(&pages().with_total().fetch(&db).await.unwrap()).unwrap();
    assert_eq!((with["total"].as_u64(), with["items"].as_array().unwrap().len()), (Some(3), 2));
    let without = json::to_json(&pages().fetch(&db).await.unwrap()).unwrap();
    assert!(without.get("total").is_none());
}
