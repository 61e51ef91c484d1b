//! New values: the struct without the fields that an insert fills, ids, defaults and sequences.

mod auto;
mod bulk;
mod derived;
mod json;
mod random;
mod sequence;
mod shapes;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{Error, prelude::*, schema};
use schema_tests::{CommandLog, database, database_with_log};

/// A post whose new values have a title, and may have the rest.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts", new(Debug, Clone, PartialEq))]
pub(super) struct Post {
    #[serde(rename = "_id")]
    #[auto]
    pub(super) id: ObjectId,
    #[bound(max_len = 20)]
    pub(super) title: String,
    #[default(10)]
    pub(super) views: i64,
    #[default("draft")]
    #[bound(max_len = 20)]
    state: String,
    #[default(Some("none".to_owned()))]
    pub(super) note: Option<String>,
    #[serde(rename = "sub", default, skip_serializing_if = "Option::is_none")]
    subtitle: Option<String>,
    #[default]
    #[bound(max_items = 3, max_len = 8)]
    tags: Vec<String>,
    seen: std::time::SystemTime,
    #[serde(skip)]
    local: u8,
    #[version]
    version: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    pub(super) updated: DateTime,
}

impl Default for Seen {
    fn default() -> Self {
        Seen(std::time::UNIX_EPOCH + std::time::Duration::from_nanos(1_000_001_500))
    }
}

/// A time below a millisecond.
struct Seen(std::time::SystemTime);

pub(super) fn new_post(title: &str) -> NewPost {
    let seen = Seen::default().0;
    NewPost { title: title.to_owned(), seen, views: None, state: None, note: None, subtitle: None, tags: None }
}

fn names(log: &CommandLog) -> Vec<String> {
    log.commands().into_iter().map(|(name, _)| name).collect()
}

async fn stored(db: &Database, collection: &str) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let all = db.collection::<Document>(collection).find(doc! {}).sort(doc! { "_id": 1 }).await.unwrap();
    all.try_collect().await.unwrap()
}

#[tokio::test]
async fn an_insert_returns_the_stored_model() {
    let (db, log) = database_with_log().await;
    schema![Post].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    log.clear();
    let post = new_post("a").insert(&db).await.unwrap();
    assert_eq!(names(&log), ["insert"]);
    assert_eq!((post.views, post.state.as_str(), post.note.as_deref()), (10, "draft", Some("none")));
    assert_eq!((post.version, post.local, post.tags.len()), (0, 0, 0));
    assert_eq!(post.created, post.updated);
    assert!(post.created.timestamp_millis() > 0);
    // A date of BSON has milliseconds.
    assert_eq!(post.seen, std::time::UNIX_EPOCH + std::time::Duration::from_millis(1_000));
    assert_eq!(post, Post::get_by_id(&db, post.id).await.unwrap());
    let [document] = &stored(&db, "posts").await[..] else { panic!("one document") };
    let names: Vec<&String> = document.keys().collect();
    assert_eq!(names, ["_id", "title", "views", "state", "note", "tags", "seen", "version", "created", "updated"]);
    assert_eq!(document.get("version"), Some(&Bson::Int64(0)));
}

#[tokio::test]
async fn a_value_gives_other_values_than_the_defaults() {
    let db = database().await;
    let new = NewPost {
        views: Some(3),
        state: Some("open".to_owned()),
        note: Some(None),
        subtitle: Some("more".to_owned()),
        tags: Some(vec!["x".to_owned()]),
        ..new_post("b")
    };
    let post = new.clone().insert(&db).await.unwrap();
    assert_eq!((post.views, post.state.as_str(), &post.note), (3, "open", &None));
    assert_eq!((post.subtitle.as_deref(), &post.tags[..]), (Some("more"), &["x".to_owned()][..]));
    let document = stored(&db, "posts").await.remove(0);
    assert_eq!((document.get("note"), document.get_str("sub").unwrap()), (Some(&Bson::Null), "more"));
    let model = new.into_model().unwrap();
    assert_eq!((model.views, model.version), (3, 0));
    assert_ne!(model.id, post.id);
}

#[tokio::test]
async fn many_values_are_one_command_and_come_back_in_order() {
    let (db, log) = database_with_log().await;
    let posts = NewPost::insert_many(&db, (0..500).map(|at| new_post(&at.to_string()))).await.unwrap();
    assert_eq!(names(&log), ["insert"]);
    let titles: Vec<String> = posts.iter().map(|post| post.title.clone()).collect();
    assert_eq!(titles, (0..500).map(|at| at.to_string()).collect::<Vec<_>>());
    let found = Post::find(Filter::all()).sort(Post::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(found, posts);
    log.clear();
    assert_eq!(NewPost::insert_many(&db, []).await.unwrap(), []);
    assert!(names(&log).is_empty());
}

#[tokio::test]
async fn a_value_beyond_a_bound_is_an_error_and_nothing_is_sent() {
    let (db, log) = database_with_log().await;
    let long = || new_post("a title of more than 20 characters");
    assert!(matches!(long().insert(&db).await.unwrap_err(), Error::BoundExceeded { .. }));
    let error = NewPost::insert_many(&db, [new_post("a"), long()]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { index: Some(1), inserted: 0, .. }), "{error:?}");
    assert!(names(&log).is_empty());
}

#[tokio::test]
async fn an_insert_in_a_transaction_is_a_part_of_the_transaction() {
    let db = database().await;
    let kept = schema_runtime::transaction(&db, |tx| async move {
        let post = new_post("kept").insert(&tx).await?;
        NewPost::insert_many(&tx, [new_post("one"), new_post("two")]).await?;
        Ok::<_, Error>(post)
    });
    let post = kept.await.unwrap();
    assert_eq!(Post::get_by_id(&db, post.id).await.unwrap(), post);
    let lost = schema_runtime::transaction(&db, |tx| async move {
        new_post("lost").insert(&tx).await?;
        Err::<(), _>(Error::OutsideTransaction)
    });
    assert!(lost.await.is_err());
    assert_eq!(stored(&db, "posts").await.len(), 3);
}

#[tokio::test]
async fn a_refused_insert_is_the_error_of_the_insert() {
    let db = database().await;
    schema![Post].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let mut post = new_post("a").into_model().unwrap();
    Post::create(&db, &mut post).await.unwrap();
    // A validator of another program.
    db.run_command(doc! { "collMod": "posts", "validator": { "title": { "$ne": "no" } } }).await.unwrap();
    let error = new_post("no").insert(&db).await.unwrap_err();
    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error:?}");
    let error = NewPost::insert_many(&db, [new_post("yes"), new_post("no"), new_post("x")]).await.unwrap_err();
    assert!(matches!(error, Error::InsertMany { index: Some(1), inserted: 1, .. }), "{error:?}");
    assert_eq!(stored(&db, "posts").await.len(), 2);
}
