//! The values that updates set by themselves.

use schema_tests::CommandLog;

use super::*;

/// Returns the single update of the log without its time, and the time.
fn update_sent(log: &CommandLog) -> (Document, DateTime) {
    let [(name, command)] = &log.commands()[..] else { panic!("one command: {:?}", log.commands()) };
    let update = match name.as_str() {
        "update" => command.get_array("updates").unwrap()[0].as_document().unwrap().get_document("u"),
        _ => command.get_document("update"),
    };
    let mut update = update.unwrap().clone();
    let set = update.get_document_mut("$set").unwrap();
    let now = *set.get_datetime("changedLast").unwrap();
    set.remove("changedLast");
    (update, now)
}

#[tokio::test]
async fn every_update_sets_the_time_and_adds_to_the_version() {
    let (db, log) = database_with_log().await;
    Article::insert_many(&db, &[article(1), article(2)]).await.unwrap();
    age(&db, 1).await;
    age(&db, 2).await;

    log.clear();
    Article::update_by_id(1).set(Article::F.title, "a").execute(&db).await.unwrap();
    let (sent, now) = update_sent(&log);
    assert_eq!(sent, doc! { "$set": { "title": "a" }, "$inc": { "revision": 1 } });
    let stored = raw(&db, "articles", 1).await;
    assert_eq!(stored.get_datetime("changedLast").ok(), Some(&now));
    assert_eq!(stored.get_datetime("created").ok(), Some(&DateTime::from_millis(1_000)));
    assert_eq!(stored.get("revision"), Some(&Bson::Int32(1)));

    log.clear();
    Article::update_one(Article::F.title.eq("a") & Article::F.revision.eq(1))
        .set(Article::F.title, "b")
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(update_sent(&log).0, doc! { "$set": { "title": "b" }, "$inc": { "revision": 1 } });

    log.clear();
    let updated = Article::update_many(Filter::all()).set(Article::F.title, "c").execute(&db).await.unwrap();
    assert_eq!((updated.matched, updated.modified), (2, 2));
    let (sent, now) = update_sent(&log);
    assert_eq!(sent, doc! { "$set": { "title": "c" }, "$inc": { "revision": 1 } });
    for (id, revision) in [(1, 3), (2, 1)] {
        let stored = raw(&db, "articles", id).await;
        assert_eq!(
            (stored.get_datetime("changedLast").ok(), stored.get_i32("revision").ok()),
            (Some(&now), Some(revision))
        );
    }

    log.clear();
    Article::update_by_id(1).raw(doc! { "$set": { "title": "own words" } }).execute(&db).await.unwrap();
    assert_eq!(update_sent(&log).0, doc! { "$set": { "title": "own words" }, "$inc": { "revision": 1 } });

    log.clear();
    let update = Article::find_one_and_update(Article::F.id.eq(2)).set(Article::F.title, "d");
    let after = update.fetch_after(&db).await.unwrap().unwrap();
    let (sent, now) = update_sent(&log);
    assert_eq!(sent, doc! { "$set": { "title": "d" }, "$inc": { "revision": 1 } });
    assert_eq!((after.revision, after.changed_last, after.created.timestamp_millis()), (2, now, 1_000));
}

#[tokio::test]
async fn a_save_after_an_update_by_another_is_a_conflict() {
    let db = database().await;
    let mut value = article(1);
    Article::create(&db, &mut value).await.unwrap();
    Article::update_many(Filter::all()).set(Article::F.title, "theirs").execute(&db).await.unwrap();
    value.title = "mine".to_owned();
    assert_eq!(conflict(Article::save(&db, &mut value).await), (0, Some(1)));
    assert_eq!(raw(&db, "articles", 1).await.get_str("title").ok(), Some("theirs"));
}

#[tokio::test]
async fn an_upsert_that_inserts_has_version_1_and_both_times() {
    let (db, log) = database_with_log().await;
    let upsert = || Article::update_by_id(1).set(Article::F.title, "a").set(Article::F.notes, BTreeMap::new()).upsert();
    let updated = upsert().execute(&db).await.unwrap();
    assert_eq!((updated.matched, updated.upserted_id), (0, Some(1)));
    let (mut sent, now) = update_sent(&log);
    assert_eq!(sent.remove("$setOnInsert"), Some(doc! { "created": now }.into()));
    assert_eq!(sent, doc! { "$set": { "title": "a", "notes": {} }, "$inc": { "revision": 1 } });
    let mut value = Article::get_by_id(&db, &1).await.unwrap();
    assert_eq!((value.revision, value.created, value.changed_last), (1, now, now));

    age(&db, 1).await;
    upsert().execute(&db).await.unwrap();
    let stored = raw(&db, "articles", 1).await;
    assert_eq!(
        (stored.get_datetime("created").unwrap().timestamp_millis(), stored.get_i32("revision").unwrap()),
        (1_000, 2)
    );
    assert_eq!(conflict(Article::save(&db, &mut value).await), (1, Some(2)));

    let update = Article::find_one_and_update(Article::F.id.eq(9)).set(Article::F.title, "a");
    let made = update.set(Article::F.notes, BTreeMap::new()).upsert().fetch_after(&db).await.unwrap().unwrap();
    assert_eq!((made.revision, made.created), (1, made.changed_last));
}

#[tokio::test]
async fn an_update_whose_answer_is_lost_counts_once() {
    let (db, log) = database_with_log().await;
    Article::insert(&db, &article(1)).await.unwrap();
    let failure = doc! {
        "failCommands": ["update"],
        "writeConcernError": { "code": 64, "errmsg": "too late", "errorLabels": ["RetryableWriteError"] },
    };
    let point = fail_command(&db, doc! { "times": 1 }, failure).await;
    let updated = Article::update_by_id(1).set(Article::F.title, "a").execute(&db).await;
    point.clear().await;
    updated.unwrap();
    assert_eq!(log.named("update").len(), 2, "it was sent again");
    assert_eq!(raw(&db, "articles", 1).await.get_i32("revision").ok(), Some(1));
}

#[tokio::test]
async fn a_model_without_them_is_updated_as_it_says() {
    let (db, log) = database_with_log().await;
    Log::insert(&db, &Log { id: 1, created_at: PLACEHOLDER, text: String::new() }).await.unwrap();
    log.clear();
    Log::update_by_id(1).set(Log::F.text, "a").execute(&db).await.unwrap();
    let command = &log.named("update")[0];
    let update = command.get_array("updates").unwrap()[0].as_document().unwrap().get_document("u");
    assert_eq!(update.unwrap(), &doc! { "$set": { "text": "a" } });
}
