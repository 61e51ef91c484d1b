//! A patch without a change: no error, no change, and the same answer about the document.

use schema_tests::buckets::{Comment, Post as Thread, comment};

use super::*;

#[derive(Patch, Default)]
#[patch(Comment)]
struct EditComment {
    author: Option<String>,
}

#[tokio::test]
async fn an_empty_patch_changes_nothing_and_finds_the_document() {
    let (db, log) = start().await;
    let (before, edit) = (raw(&db, 1).await, EditPost::default());
    log.clear();
    let updated = Post::update_by_id(1).apply(&edit).execute(&db).await.unwrap();
    assert_eq!((updated.matched, updated.modified), (1, 0));
    assert_eq!(update_sent(&log), (doc! { "_id": 1_i64 }, doc! { "$set": {} }));
    assert_eq!(raw(&db, 1).await, before, "the version and the time stay");

    let absent = Post::update_by_id(9).apply(&edit).execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { .. }), "{absent}");
    let nothing: Option<&str> = None;
    let updated = Post::update_by_id(1).set_opt(Post::F.title, nothing).execute(&db).await.unwrap();
    assert_eq!((updated.matched, updated.modified), (1, 0));
    assert_eq!(Post::update_by_id(1).apply(&edit).fetch_after(&db).await.unwrap().version, 0);
    let many = Post::update_many(Filter::all()).apply(&edit).execute(&db).await.unwrap();
    assert_eq!((many.matched, many.modified), (2, 0));
    let bulk = Post::bulk().update(Post::update_by_id(1).apply(&edit)).execute(&db).await.unwrap().complete().unwrap();
    assert_eq!((bulk.matched, bulk.modified), (1, 0));
    assert_eq!(raw(&db, 1).await, before);

    let forgotten = Post::update_by_id(1).execute(&db).await.unwrap_err();
    assert!(matches!(forgotten, Error::Update { .. }), "{forgotten}");
}

/// Further operators beside an empty patch are an ordinary update.
#[tokio::test]
async fn a_change_beside_an_empty_patch() {
    let (db, _) = start().await;
    let edit = EditPost::default();
    Post::update_by_id(1).apply(&edit).inc(Post::F.likes, 1).execute(&db).await.unwrap();
    let stored = Post::get_by_id(&db, 1).await.unwrap();
    assert_eq!((stored.likes, stored.version), (1, 1));
    assert!(stored.updated > stored.created);
}

/// An upsert inserts the managed fields, and leaves a stored document as before.
#[tokio::test]
async fn an_upsert_of_an_empty_patch() {
    let (db, _) = start().await;
    let before = raw(&db, 1).await;
    let upsert = |id: i64| {
        let new = post(id);
        Post::update_by_id(id)
            .apply(&EditPost::default())
            .set_on_insert(Post::F.title, "inserted")
            .set_on_insert(Post::F.state, State::Draft)
            .set_on_insert(Post::F.tags, &new.tags)
            .set_on_insert(Post::F.place, &new.place)
            .set_on_insert(Post::F.likes, 0)
            .upsert()
    };
    assert_eq!(upsert(1).execute(&db).await.unwrap().modified, 0);
    assert_eq!(raw(&db, 1).await, before);
    assert_eq!(upsert(7).execute(&db).await.unwrap().upserted_id, Some(7));
    let inserted = Post::get_by_id(&db, 7).await.unwrap();
    assert_eq!((&*inserted.title, inserted.version), ("inserted", 1));
    assert_eq!(inserted.created, inserted.updated);
}

#[tokio::test]
async fn elements_and_children_in_buckets() {
    let (db, _) = start().await;
    let none: Option<String> = None;
    let none = &none;
    let each =
        Post::update_by_id(1).each(Post::F.tags, |tag| tag.eq("a"), |change, tag| change.set_opt(tag, none.clone()));
    assert_eq!(each.execute(&db).await.unwrap().modified, 0);

    let (db, _) = database_with_log().await;
    schema![Thread, Comment].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Comment::insert(&db, &comment(1, 7, 1)).await.unwrap();
    assert!(!Comment::update_by_id(1).apply(&EditComment::default()).execute(&db).await.unwrap());
    let absent = Comment::update_by_id(2).apply(&EditComment::default()).execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { .. }), "{absent}");
    let edit = EditComment { author: Some("Ann".to_owned()) };
    assert!(Comment::update_by_id(1).apply(&edit).execute(&db).await.unwrap());
    assert_eq!(Comment::get_by_id(&db, 1).await.unwrap(), Comment { author: "Ann".to_owned(), ..comment(1, 7, 1) });
}
