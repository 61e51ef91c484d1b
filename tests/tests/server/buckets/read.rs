//! Reads of children: the commands, the indexes, and the refusals.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, assert_indexed, explain::Explain, prelude::*, schema};
use schema_tests::{
    CommandLog,
    buckets::{Comment, Panel, Post, Reading, comment},
    database, database_with_log,
};

fn post(id: i64) -> Post {
    Post { id, title: String::new() }
}

async fn prepare(db: &Database, children: i64) {
    schema![Post, Comment, Panel, Reading].plan(db).await.unwrap().apply(db).await.unwrap();
    Comment::insert_many(db, (1..=children).map(|id| comment(id, 7, id))).await.unwrap();
    Comment::insert_many(db, (100_001..=100_040).map(|id| comment(id, 8, id))).await.unwrap();
}

fn names(log: &CommandLog) -> Vec<String> {
    log.commands().into_iter().map(|(name, _)| name).collect()
}

#[derive(Projection, Deserialize, Debug, PartialEq)]
#[projection(of = Comment)]
struct Short {
    author: String,
    post: Ref<Post>,
}

#[tokio::test]
async fn a_bucket_is_one_document() {
    let (db, log) = database_with_log().await;
    prepare(&db, 18).await;
    log.clear();
    let found = post(7).comments().bucket(2).fetch_all(&db).await.unwrap();
    assert_eq!(found.iter().map(|child| child.id).collect::<Vec<_>>(), [5, 6, 7, 8]);
    assert_eq!(names(&log), ["find"]);
    let find = log.named("find").remove(0);
    assert_eq!(find.get_document("filter").unwrap(), &doc! { "post": 7_i64, "page": 2_i64 });
    assert_eq!(find.get_i64("limit").unwrap(), 1);
    let explained = post(7).comments().bucket(2).explain_counts(&db).await;
    assert_eq!(explained, (1, 1));
}

/// Returns the keys and the documents that a read examines.
trait Counts: Explain {
    async fn explain_counts(&self, db: &Database) -> (i32, i32) {
        let explained = self.explain(db).await.unwrap();
        let stats = find(&explained, "executionStats").expect("stats");
        (stats.get_i32("totalKeysExamined").unwrap(), stats.get_i32("totalDocsExamined").unwrap())
    }
}

impl<T: Explain> Counts for T {}

fn find(document: &Document, name: &str) -> Option<Document> {
    if let Ok(found) = document.get_document(name) {
        return Some(found.clone());
    }
    document.values().find_map(|value| match value {
        mongodb::bson::Bson::Document(inner) => find(inner, name),
        mongodb::bson::Bson::Array(all) => all.iter().filter_map(|inner| find(inner.as_document()?, name)).next(),
        _ => None,
    })
}

#[tokio::test]
async fn an_index_serves_each_read_and_ends_it() {
    let db = database().await;
    prepare(&db, 400).await;
    let post = post(7);
    assert_indexed(&post.comments().bucket(3), &db).await;
    assert_eq!(post.comments().latest(4).explain_counts(&db).await, (2, 2));
    assert_indexed(&post.comments().latest(4), &db).await;
    assert_indexed(&post.comments().paginate(4), &db).await;
    assert_indexed(&post.comments().paginate(4).last(), &db).await;
    assert_indexed(&post.comments().select::<Short>(), &db).await;
    let first = post.comments().paginate(40).fetch(&db).await.unwrap();
    let second = post.comments().paginate(40).after(first.next.as_ref()).fetch(&db).await.unwrap();
    let third = post.comments().paginate(40).after(second.next.as_ref());
    assert_indexed(&third, &db).await;
    // Eleven buckets, for every page, and the bucket of the place.
    let (keys, documents) = third.explain_counts(&db).await;
    assert!(documents <= 13 && keys <= 15, "{keys} {documents}");
    let third = third.fetch(&db).await.unwrap();
    let back = post.comments().paginate(40).before(third.previous.as_ref());
    assert_indexed(&back, &db).await;
    let (keys, documents) = back.explain_counts(&db).await;
    assert!(documents <= 13 && keys <= 15, "{keys} {documents}");
    for filter in [
        Comment::F.id.eq(77),
        Comment::F.id.is_in([5, 77]),
        Comment::F.author.eq("author 1"),
        Comment::F.post.eq(Ref::new(9)),
    ] {
        assert_indexed(&Comment::find(filter), &db).await;
    }
    assert_eq!(Comment::find(Comment::F.id.eq(77)).explain_counts(&db).await, (1, 1));
}

#[tokio::test]
async fn a_page_is_one_command_and_its_token_of_one_parent() {
    let (db, log) = database_with_log().await;
    prepare(&db, 18).await;
    log.clear();
    let first = post(7).comments().paginate(3).fetch(&db).await.unwrap();
    assert_eq!(names(&log), ["find"]);
    assert_eq!((first.len(), first.has_next(), first.has_previous()), (3, true, false));
    let token = first.next.unwrap();
    let of_another = post(8).comments().paginate(3).after(&token).fetch(&db).await.unwrap_err();
    assert!(matches!(of_another, Error::PageToken { .. }), "{of_another}");
    let two = post(7).comments().paginate(3).after(&token).last().fetch(&db).await.unwrap_err();
    assert!(matches!(two, Error::Query { .. }), "{two}");
    // The place of a token stays, whatever is deleted at the place.
    for id in [1, 2, 3] {
        Comment::delete_by_id(&db, id).await.unwrap();
    }
    let text: schema_runtime::PageToken = token.to_string().parse().unwrap();
    let second = post(7).comments().paginate(3).after(&text).fetch(&db).await.unwrap();
    assert_eq!(second.iter().map(|child| child.id).collect::<Vec<_>>(), [4, 5, 6]);
    let before = post(7).comments().paginate(3).before(second.previous.as_ref()).fetch(&db).await.unwrap();
    assert!(before.is_empty());
}

#[tokio::test]
async fn a_projection_asks_for_its_fields_alone() {
    let (db, log) = database_with_log().await;
    prepare(&db, 6).await;
    log.clear();
    let short = |id: i64| Short { author: format!("author {}", id % 3), post: Ref::new(7) };
    let expected: Vec<Short> = (1..=6).map(short).collect();
    let all = post(7).comments().select::<Short>().fetch_all(&db).await.unwrap();
    assert!(all.iter().eq(&expected));
    let projection = log.named("find").remove(0).get_document("projection").unwrap().clone();
    let asked = doc! { "_id": 0, "post": 1, "page": 1, "items._id": 1, "items.author": 1, "items.created_on": 1 };
    assert_eq!(projection, asked);
    let page = post(7).comments().select::<Short>().paginate(4).fetch(&db).await.unwrap();
    assert!(page.iter().eq(&expected[..4]));
    let rest = post(7).comments().paginate(4).select::<Short>().after(page.next.as_ref()).fetch(&db).await.unwrap();
    assert!(rest.iter().eq(&expected[4..]));
    let latest = post(7).comments().latest(1).select::<Short>().fetch_all(&db).await.unwrap();
    assert!(latest.iter().eq(&expected[5..]));
    let found = Comment::find(Comment::F.id.eq(2)).select::<Short>().fetch_optional(&db).await.unwrap();
    assert_eq!(found, Some(short(2)));
}

#[tokio::test]
async fn the_latest_are_read_on_where_deletes_have_left_few() {
    let (db, log) = database_with_log().await;
    prepare(&db, 40).await;
    log.clear();
    let latest = async |count: u32| {
        let found = post(7).comments().latest(count).fetch_all(&db).await.unwrap();
        found.iter().map(|child| child.id).collect::<Vec<_>>()
    };
    assert_eq!(latest(6).await, [40, 39, 38, 37, 36, 35]);
    assert!(latest(0).await.is_empty());
    assert_eq!(names(&log), ["find"]);
    for id in 21..=39 {
        Comment::delete_by_id(&db, id).await.unwrap();
    }
    log.clear();
    assert_eq!(latest(3).await, [40, 20, 19]);
    assert_eq!(names(&log), ["find"]);
    for id in [17, 18, 19, 20, 40] {
        Comment::delete_by_id(&db, id).await.unwrap();
    }
    Comment::insert(&db, &comment(50, 7, 50)).await.unwrap();
    for id in [13, 14, 15] {
        Comment::delete_by_id(&db, id).await.unwrap();
    }
    log.clear();
    assert_eq!(latest(4).await, [50, 16, 12, 11]);
    assert_eq!(names(&log), ["find", "find"]);
}

fn reading(panel: &str, hour: i64) -> Reading {
    let time = DateTime::from_millis(hour * 60 * 60 * 1_000);
    Reading { id: ObjectId::new(), panel: Ref::new(panel), time, watt_hours: hour as f64 }
}

#[tokio::test]
async fn a_day_is_read_by_itself() {
    let db = database().await;
    prepare(&db, 0).await;
    let all: Vec<Reading> = (0..20).map(|number| reading("roof", number * 3)).collect();
    Reading::insert_many(&db, &all).await.unwrap();
    let panel = Panel { id: "roof".to_owned() };
    let noon = DateTime::from_millis(36 * 60 * 60 * 1_000);
    let second_day = &all[8..16];
    let found = panel.readings().at(noon).fetch_all(&db).await.unwrap();
    assert!(found.iter().eq(second_day));
    assert!(panel.readings().fetch_all(&db).await.unwrap().iter().eq(&all));
    assert_eq!(panel.readings().at(noon).count(&db).await.unwrap(), 8);
    let bucket = panel.readings().at(noon).bucket(2).fetch_all(&db).await.unwrap();
    assert!(bucket.iter().eq(&second_day[3..6]));
    let latest = panel.readings().at(noon).latest(4).fetch_all(&db).await.unwrap();
    assert!(latest.iter().eq(second_day[4..].iter().rev()));
    // The pages cross the end of a day.
    let first = panel.readings().paginate(7).fetch(&db).await.unwrap();
    let next = panel.readings().paginate(7).after(first.next.as_ref());
    assert_indexed(&next, &db).await;
    assert!(next.fetch(&db).await.unwrap().iter().eq(&all[7..14]));
    let no_day = panel.readings().select::<Hours>().bucket(1).fetch_all(&db).await.unwrap_err();
    assert!(matches!(no_day, Error::Query { .. }), "{no_day}");
    let days = panel.readings().statistics(&db, Reading::F.watt_hours).await.unwrap();
    let energy: f64 = second_day.iter().map(|reading| reading.watt_hours).sum();
    let day = DateTime::from_millis(24 * 60 * 60 * 1_000);
    let of_day: Vec<_> = days.iter().filter(|bucket| bucket.time == Some(day)).collect();
    assert_eq!(of_day.iter().map(|bucket| (bucket.number, bucket.count)).collect::<Vec<_>>(), [(1, 3), (2, 3), (3, 2)]);
    assert_eq!(of_day.iter().map(|bucket| bucket.sum).sum::<f64>(), energy);
    assert_eq!((of_day[1].least, of_day[1].greatest, of_day[1].average), (Some(33.0), Some(39.0), Some(36.0)));
    // A filter on the time reads the buckets of the matching days only.
    let from =
        Reading::F.panel.eq(Ref::new("roof")).and(Reading::F.time.between(second_day[0].time..=second_day[7].time));
    let asked = Reading::find(from).sort(Reading::F.time.asc());
    assert_eq!(asked.explain_counts(&db).await.1, 3);
    assert_eq!(asked.fetch_all(&db).await.unwrap(), second_day);
}

#[derive(Projection, Deserialize, Debug)]
#[projection(of = Reading)]
struct Hours {
    #[allow(dead_code)]
    watt_hours: f64,
}

#[tokio::test]
async fn what_does_not_fit_is_said_and_the_rest_is_read() {
    let db = database().await;
    prepare(&db, 6).await;
    let damage = doc! { "update": "comments", "bypassDocumentValidation": true, "updates": [
        { "q": { "items._id": 3_i64 }, "u": { "$set": { "items.$.likes": "many" } } },
    ] };
    db.run_command(damage).await.unwrap();
    let all = post(7).comments().fetch_all(&db).await.unwrap();
    assert_eq!(all.iter().map(|child| child.id).collect::<Vec<_>>(), [1, 2, 4, 5, 6]);
    let failed: Vec<String> = all.failed().map(Error::to_string).collect();
    assert!(failed.len() == 1 && failed[0].contains("likes"), "{failed:?}");
    let page = post(7).comments().paginate(10).fetch(&db).await.unwrap();
    assert_eq!((page.len(), page.failed().count()), (5, 1));
    assert_eq!(post(7).comments().latest(10).fetch_all(&db).await.unwrap().failed().count(), 1);
    let mut stream = post(7).comments().stream(&db).await.unwrap();
    let mut seen = (0, 0);
    while let Some(child) = stream.next().await {
        match child {
            Ok(_) => seen.0 += 1,
            Err(_) => seen.1 += 1,
        }
    }
    assert_eq!(seen, (5, 1));
}

/// A pour between two replies of a stream neither hides a child nor sends a child twice.
#[tokio::test]
async fn a_stream_is_as_of_one_time() {
    let (db, log) = database_with_log().await;
    prepare(&db, 3_000).await;
    log.clear();
    let mut stream = post(7).comments().stream(&db).await.unwrap();
    let mut seen = vec![stream.next().await.unwrap().unwrap().id];
    let concern = log.named("find").remove(0).get_document("readConcern").unwrap().get_str("level").unwrap().to_owned();
    assert_eq!(concern, "snapshot");
    // As a compact does, children of a later bucket go to the first bucket.
    Comment::delete_by_id(&db, 2).await.unwrap();
    let moved =
        doc! { "_id": 2_990_i64, "author": "a", "created_on": DateTime::from_millis(2_990), "tags": [], "likes": 0 };
    let mut session = db.client().start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    let buckets = db.collection::<Document>("comments");
    let pull = doc! { "$pull": { "items": { "_id": 2_990_i64 } }, "$inc": { "count": -1 } };
    buckets.update_one(doc! { "items._id": 2_990_i64 }, pull).session(&mut session).await.unwrap();
    let push = doc! { "$push": { "items": moved }, "$inc": { "count": 1 } };
    buckets.update_one(doc! { "post": 7_i64, "page": 1 }, push).session(&mut session).await.unwrap();
    session.commit_transaction().await.unwrap();
    while let Some(child) = stream.next().await {
        seen.push(child.unwrap().id);
    }
    assert_eq!(seen, (1..=3_000).collect::<Vec<_>>());
    assert!(log.named("getMore").len() >= 2);
}

#[tokio::test]
async fn in_a_transaction_what_it_has_written_is_read() {
    let db = database().await;
    prepare(&db, 6).await;
    let written = schema_runtime::transaction(&db, |transaction| async move {
        Comment::insert(&transaction, &comment(9, 7, 9)).await?;
        let all = post(7).comments().fetch_all(&transaction).await?;
        let last = post(7).comments().paginate(2).last().fetch(&transaction).await?;
        let found =
            Comment::find(Comment::F.id.gte(6).and(Comment::F.post.eq(Ref::new(7)))).count(&transaction).await?;
        Ok::<_, Error>((all.len(), last.iter().map(|child| child.id).collect::<Vec<_>>(), found))
    });
    assert_eq!(written.await.unwrap(), (7, vec![6, 9], 2));
}
