//! Bulk writes: a command for each kind of write, and the outcome of each write.

mod broken;

use std::sync::{Arc, Mutex};

use mongodb::bson::{Document, doc};
use schema_runtime::{
    Throttle,
    operation::{BulkOutcome, BulkReport},
    prelude::*,
};
use schema_tests::{Spans, database, database_with_log};

use crate::sent::sent;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 20)]
    name: String,
    qty: i32,
    #[bound(max_items = 2)]
    tags: Vec<i32>,
}

fn part(id: i64, name: &str) -> Part {
    Part { id, name: name.to_owned(), qty: 1, tags: Vec::new() }
}

/// Returns a letter for each outcome: `D`one, `F`ailed, `N`ot tried, `U`nknown.
fn outcomes(report: &BulkReport<i64>) -> String {
    let letter = |outcome: &_| match outcome {
        BulkOutcome::Done => 'D',
        BulkOutcome::Failed(_) => 'F',
        BulkOutcome::NotTried => 'N',
        BulkOutcome::Unknown => 'U',
        other => panic!("{other:?}"),
    };
    report.outcomes().iter().map(letter).collect()
}

async fn stored(db: &Database) -> Vec<i64> {
    let mut ids: Vec<_> = Part::find(Filter::all()).fetch_all(db).await.unwrap().iter().map(|part| part.id).collect();
    ids.sort_unstable();
    ids
}

/// Returns a bulk with two writes of each kind, in turn.
fn mixed() -> schema_runtime::operation::Bulk<Part> {
    Part::bulk()
        .insert(&part(10, "ten"))
        .update(Part::update_by_id(1).inc(Part::F.qty, 5))
        .delete_by_id(&3)
        .insert_many([&part(11, "eleven"), &part(12, "twelve")])
        .replace(&part(2, "two again"))
        .update(
            Part::update_by_id(77).set(Part::F.name, "new").set(Part::F.qty, 0).set(Part::F.tags, Vec::new()).upsert(),
        )
        .delete_many(Part::F.name.eq("old"))
}

async fn some_parts(db: &Database) {
    let parts = [part(1, "one"), part(2, "two"), part(3, "three"), part(4, "old"), part(5, "old")];
    Part::insert_many(db, &parts).await.unwrap();
}

#[tokio::test]
async fn unordered_is_one_command_for_each_kind() {
    let (db, log) = database_with_log().await;
    some_parts(&db).await;
    let (report, names) = sent(&log, mixed().unordered().execute(&db)).await;
    let report = report.unwrap();
    assert_eq!(names, ["insert", "update", "delete"]);
    let commands: Vec<Document> = log.commands().into_iter().map(|(_, command)| command).collect();
    assert!(commands.iter().all(|command| command.get_bool("ordered").ok() == Some(false)));
    assert_eq!(commands[0].get_array("documents").unwrap().len(), 3);
    let updates = commands[1].get_array("updates").unwrap();
    let two = doc! { "_id": 2_i64, "name": "two again", "qty": 1, "tags": [] };
    assert_eq!(
        updates[..2],
        [
            doc! {
                "q": { "_id": 1_i64, "qty": { "$not": { "$gt": i64::from(i32::MAX - 5) } } },
                "u": { "$inc": { "qty": 5 } }, "multi": false, "upsert": false,
            }
            .into(),
            doc! { "q": { "_id": 2_i64 }, "u": two, "multi": false, "upsert": false }.into(),
        ]
    );
    assert_eq!(updates.len(), 3);
    assert_eq!(
        *commands[2].get_array("deletes").unwrap(),
        [doc! { "q": { "_id": 3_i64 }, "limit": 1 }.into(), doc! { "q": { "name": "old" }, "limit": 0 }.into()]
    );

    assert_eq!(outcomes(&report), "DDDDDDDD");
    let report = report.complete().unwrap();
    assert_eq!((report.inserted, report.matched, report.modified, report.deleted), (3, 2, 2, 3));
    assert_eq!((report.upserted_ids.into_iter().collect::<Vec<_>>(), report.unmatched), (vec![(6, 77)], Some(0)));
    assert_eq!(stored(&db).await, [1, 2, 10, 11, 12, 77]);
    assert_eq!(Part::get_by_id(&db, &1).await.unwrap().qty, 6);
}

#[tokio::test]
async fn ordered_is_one_command_for_each_run() {
    let (db, log) = database_with_log().await;
    some_parts(&db).await;
    let (report, names) = sent(&log, mixed().execute(&db)).await;
    let report = report.unwrap();
    assert_eq!(names, ["insert", "update", "delete", "insert", "update", "delete"]);
    assert!(log.commands().iter().all(|(_, command)| command.get_bool("ordered").ok() == Some(true)));
    assert_eq!(outcomes(&report), "DDDDDDDD");
    let report = report.complete().unwrap();
    assert_eq!((report.inserted, report.matched, report.modified, report.deleted), (3, 2, 2, 3));
    assert_eq!(report.upserted_ids.into_iter().collect::<Vec<_>>(), [(6, 77)]);
    assert_eq!(stored(&db).await, [1, 2, 10, 11, 12, 77]);
}

#[tokio::test]
async fn no_writes_are_no_command() {
    let (db, log) = database_with_log().await;
    let (report, names) = sent(&log, Part::bulk().unordered().execute(&db)).await;
    assert_eq!(report.unwrap().outcomes().len(), 0);
    assert_eq!(names, [] as [&str; 0]);
}

#[tokio::test]
async fn a_failure_in_the_middle_ends_an_ordered_bulk_and_no_other() {
    let (db, log) = database_with_log().await;
    some_parts(&db).await;
    let failing = || {
        Part::bulk()
            .insert_many([&part(10, "a"), &part(1, "secret"), &part(11, "b"), &part(2, "secret"), &part(12, "c")])
            .delete_by_id(&3)
    };
    let (report, names) = sent(&log, failing().execute(&db)).await;
    let report = report.unwrap();
    assert_eq!((names, outcomes(&report).as_str()), (vec!["insert".to_owned()], "DFNNNN"));
    assert_eq!((report.counts.inserted, report.counts.deleted, report.counts.unmatched), (1, 0, None));
    let failures: Vec<_> = report.failures().map(|(at, error)| (at, error.to_string())).collect();
    let text = "`parts` has a document with the same keys in the unique index `_id_`";
    assert_eq!(failures, [(1, text.to_owned())]);
    let error = report.complete().unwrap_err();
    let Error::Bulk { index: Some(1), done: 1, failed: 1, not_tried: 4, unknown: 0, .. } = &error else {
        panic!("{error:?}")
    };
    assert!(matches!(error.cause(), Error::DuplicateKey { index, key, .. } if index == "_id_" && key == "{ _id: 1 }"));
    let counts = "of the writes to `parts` 1 are done, 1 failed, 4 were not tried; write 1: ";
    assert_eq!(error.to_string(), counts.to_owned() + text);

    Part::delete_by_id(&db, &10).await.unwrap();
    let (report, names) = sent(&log, failing().unordered().execute(&db)).await;
    let report = report.unwrap();
    assert_eq!(names, ["insert", "delete"]);
    assert_eq!((outcomes(&report).as_str(), report.counts.inserted, report.counts.deleted), ("DFDFDD", 3, 1));
    assert_eq!(report.failures().map(|(at, _)| at).collect::<Vec<_>>(), [1, 3]);
    assert!(matches!(report.complete(), Err(Error::Bulk { index: Some(1), done: 4, failed: 2, .. })));
    assert_eq!(stored(&db).await, [1, 2, 4, 5, 10, 11, 12]);
}

#[tokio::test]
async fn an_update_that_the_server_refuses_is_reported_in_its_place() {
    let db = database().await;
    schema![Part].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    some_parts(&db).await;
    let strange = doc! { "$jsonSchema": { "properties": { "qty": { "maximum": 100 } } } };
    db.run_command(doc! { "collMod": "parts", "validator": strange }).await.unwrap();
    let bulk = || {
        Part::bulk()
            .update(Part::update_by_id(1).inc(Part::F.qty, 1))
            .update(Part::update_by_id(2).set(Part::F.qty, 101))
            .replace(&Part { qty: 102, ..part(3, "three") })
            .update(Part::update_one(Part::F.name.eq("old")).inc(Part::F.qty, 1))
    };
    let report = bulk().unordered().execute(&db).await.unwrap();
    assert_eq!((outcomes(&report).as_str(), report.counts.matched, report.counts.modified), ("DFFD", 2, 2));
    for (_, error) in report.failures() {
        let Error::DocumentInvalid { failures, .. } = error else { panic!("{error:?}") };
        assert_eq!((failures[0].field.as_str(), failures[0].rule.as_str()), ("qty", "maximum"));
    }
    let report = bulk().execute(&db).await.unwrap();
    assert_eq!((outcomes(&report).as_str(), report.counts.matched), ("DFNN", 1));
}

#[tokio::test]
async fn bounds_are_checked_before_anything_is_sent() {
    let (db, log) = database_with_log().await;
    let long = "x".repeat(21);
    for (bulk, at, not_tried) in [
        (Part::bulk().insert(&part(1, "one")).insert(&part(2, &long)).delete_by_id(&1), 1, 2),
        (Part::bulk().replace(&part(2, &long)), 0, 0),
        (Part::bulk().insert(&part(1, "")).update(Part::update_by_id(1).set(Part::F.name, long.clone())), 1, 1),
        (Part::bulk().update(Part::update_by_id(1).push_each(Part::F.tags, [1, 2, 3])), 0, 0),
    ] {
        let (result, names) = sent(&log, bulk.unordered().execute(&db)).await;
        let error = result.map(drop).unwrap_err();
        let Error::Bulk { index: Some(index), done: 0, failed: 1, not_tried: found, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!((*index, *found), (at, not_tried));
        assert!(matches!(error.cause(), Error::BoundExceeded { .. }), "{error:?}");
        assert_eq!(names, [] as [&str; 0]);
    }
}

/// An update that finds no document counts as unmatched. An array at its bound counts as unmatched too: the guard is in
/// the write's filter.
#[tokio::test]
async fn what_finds_no_document_is_counted() {
    let db = database().await;
    some_parts(&db).await;
    Part::update_by_id(1).push_each(Part::F.tags, [1, 2]).execute(&db).await.unwrap();
    let by_id = || {
        Part::bulk()
            .update(Part::update_by_id(1).push(Part::F.tags, 3))
            .update(Part::update_by_id(2).push(Part::F.tags, 3))
            .replace(&part(404, "gone"))
    };
    let report = by_id().unordered().execute(&db).await.unwrap();
    assert_eq!((outcomes(&report).as_str(), report.counts.matched, report.counts.unmatched), ("DDD", 1, Some(2)));
    let error = report.complete().unwrap_err();
    assert!(matches!(error.cause(), Error::NotFound { model: "Part", .. }), "{error:?}");
    assert_eq!(Part::get_by_id(&db, &1).await.unwrap().tags, [1, 2]);

    let with_a_filter = by_id().update(Part::update_many(Filter::all()).inc(Part::F.qty, 1));
    let report = with_a_filter.execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((report.matched, report.unmatched), (6, None));
}

/// A command is split at 16 MiB, and a document of nearly that size fits into a single command.
#[tokio::test]
async fn large_writes_are_split() {
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "files")]
    struct File {
        #[serde(rename = "_id")]
        id: i64,
        text: String,
    }
    let (db, log) = database_with_log().await;
    let file = |id, bytes: usize| File { id, text: "x".repeat(bytes) };
    const MIB: usize = 1024 * 1024;
    let files: Vec<_> = (0..5).map(|id| file(id, 10 * MIB)).chain([file(5, 16 * MIB - 50)]).collect();
    let (report, names) = sent(&log, File::bulk().insert_many(&files).unordered().execute(&db)).await;
    assert_eq!(report.unwrap().complete().unwrap().inserted, 6);
    assert_eq!(names, ["insert", "insert"]);

    let bulk = files.iter().fold(File::bulk(), |bulk, file| bulk.replace(file));
    let (report, names) = sent(&log, bulk.execute(&db)).await;
    assert_eq!(report.unwrap().complete().unwrap().matched, 6);
    assert_eq!(names, ["update"; 6]);
}

/// A bulk write sets versions and times like every write.
#[tokio::test]
async fn versions_and_times_are_kept() {
    #[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
    #[model(collection = "notes")]
    struct Note {
        #[serde(rename = "_id")]
        id: i64,
        text: String,
        #[version]
        version: i64,
        #[created_at]
        created_at: DateTime,
        #[updated_at]
        updated_at: DateTime,
    }
    let db = database().await;
    let (then, began) = (DateTime::from_millis(0), DateTime::now());
    let note = |id, version| Note { id, text: String::new(), version, created_at: then, updated_at: then };
    let inserted = Note::bulk().insert_many([&note(1, 0), &note(2, 0)]).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!(inserted.inserted, 2);
    let first = Note::get_by_id(&db, &1).await.unwrap();
    assert!(first.created_at >= began && first.created_at == first.updated_at, "{first:?}");

    let changed = Note::bulk()
        .replace(&Note { text: "new".to_owned(), created_at: then, ..first.clone() })
        .replace(&note(2, 7))
        .update(Note::update_by_id(1).set(Note::F.text, "newer"));
    let report = changed.execute(&db).await.unwrap();
    assert_eq!((report.counts.matched, report.counts.unmatched), (2, Some(1)), "one is another version");
    let last = Note::get_by_id(&db, &1).await.unwrap();
    assert_eq!((last.version, last.text.as_str(), last.created_at), (2, "newer", first.created_at));
    assert_eq!(Note::get_by_id(&db, &2).await.unwrap().version, 0);
}

#[tokio::test]
async fn its_spans_have_the_counts() {
    let db = database().await;
    some_parts(&db).await;
    let (spans, _guard) = Spans::collect();
    mixed().unordered().execute(&db).await.unwrap().complete().unwrap();
    let recorded: Vec<_> = spans.take().into_iter().map(|span| span.fields).collect();
    let names = ["otel.name", "db.operation.batch.size", "mongodb.matched_count", "mongodb.deleted_count"];
    let recorded: Vec<_> =
        recorded.iter().map(|fields| names.map(|name| fields.get(name).map(String::as_str))).collect();
    assert_eq!(
        recorded,
        [
            [Some("insert parts"), Some("3"), None, None],
            [Some("update parts"), Some("3"), Some("2"), None],
            [Some("delete parts"), Some("2"), None, Some("3")],
        ]
    );
}

/// A long insert reports its progress after each command.
#[tokio::test]
async fn the_progress_of_a_long_insert() {
    let (db, log) = database_with_log().await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let throttle = Throttle::new().chunk(1_000).progress(move |progress| {
        hears.lock().unwrap().push((progress.done, progress.total));
    });
    let parts: Vec<Part> = (0..2_500).map(|id| part(id, "bolt")).collect();
    let bulk = Part::bulk().insert_many(&parts).update(Part::update_many(Filter::all()).set(Part::F.name, "nut"));
    bulk.throttle(throttle).execute(&db).await.unwrap().complete().unwrap();
    let sent: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(sent, ["insert", "insert", "insert", "update"]);
    let total = Some(2_501);
    assert_eq!(*heard.lock().unwrap(), [(1_000, total), (2_000, total), (2_500, total), (2_501, total)]);
}
