//! Entries of maps by key, in filters and updates.

use schema_runtime::BoundUnit;
use schema_tests::{database, database_with_log};

use super::*;

async fn ids(db: &Database, filter: Filter<Post>) -> Vec<i64> {
    let found = Post::find(filter).sort(Post::F.id.asc()).fetch_all(db).await.unwrap();
    found.into_iter().map(|post| post.id).collect()
}

#[tokio::test]
async fn filters_find_entries_by_key() {
    let db = database().await;
    applied(schema![Post], &db).await;
    let mut second = post(2);
    second.scores.insert("ann".to_owned(), 9);
    second.homes = HashMap::from([("cid".to_owned(), Home { floor: Some(2), ..home("Rome") })]);
    second.notes = Some(BTreeMap::from([("a".to_owned(), None), ("b".to_owned(), Some("x".to_owned()))]));
    Post::insert_many(&db, [post(1), second]).await.unwrap();
    let scores = Post::F.scores;
    for (filter, expected) in [
        (scores.key("ann").eq(3), vec![1]),
        (scores.key("ann").gte(3), vec![1, 2]),
        (scores.key("ann").between(4..=9), vec![2]),
        (scores.key("ann").is_in([9, 10]), vec![2]),
        (scores.key("ann").ne(3), vec![2]),
        (scores.key("cid").exists(false), vec![1, 2]),
        (scores.key("cid").is_null(), vec![1, 2]),
        (scores.key("ben").is_not_null(), vec![1, 2]),
        (Post::F.homes.key("ann").eq(home("Oslo")), vec![1]),
        (Post::F.homes.key("ann").inside(|home| home.city).eq("Oslo"), vec![1]),
        (Post::F.homes.key("cid").inside(|home| home.city).starts_with("Ro"), vec![2]),
        (Post::F.homes.key("cid").inside(|home| home.floor).gt(1), vec![2]),
        (Post::F.homes.key("cid").inside(|home| home.tags).contains("warm"), vec![2]),
        (Post::F.notes.key("b").eq("x"), vec![2]),
        (Post::F.notes.key("a").is_null(), vec![1, 2]),
        (!scores.key("ann").eq(3) & scores.key("ben").eq(5), vec![2]),
    ] {
        assert_eq!(ids(&db, filter.clone()).await, expected, "{filter:?}");
    }
}

#[tokio::test]
async fn updates_change_entries_by_key() {
    let db = database().await;
    applied(schema![Post], &db).await;
    Post::insert(&db, &post(1)).await.unwrap();
    let (scores, homes, notes) = (Post::F.scores, Post::F.homes, Post::F.notes);
    let update = Post::update_by_id(1)
        .set(scores.key("cid"), 7)
        .inc(scores.key("ann"), 2)
        .unset(scores.key("ben"))
        .set(homes.key("ann").inside(|home| home.city), "Bergen")
        .push(homes.key("ann").inside(|home| home.tags), "old")
        .set(homes.key("dan"), home("Rome"));
    assert_eq!(update.execute(&db).await.unwrap().modified, 1);
    let now = Post::get_by_id(&db, 1).await.unwrap();
    assert_eq!(now.scores, BTreeMap::from([("ann".to_owned(), 5), ("cid".to_owned(), 7)]));
    assert_eq!(now.homes["ann"].city, "Bergen");
    assert_eq!(now.homes["ann"].tags, ["warm", "old"]);
    assert_eq!(now.homes["dan"], home("Rome"));

    // An absent entry has no part, and a null map has no entry: nothing changes, and nothing is half a value.
    let before = stored(&db, "posts", 1).await;
    for update in [
        Post::update_by_id(1).set(homes.key("nobody").inside(|home| home.city), "Rome"),
        Post::update_by_id(1).set(notes.key("a"), "x"),
    ] {
        assert!(matches!(update.execute(&db).await, Err(Error::NotFound { .. })));
    }
    assert_eq!(stored(&db, "posts", 1).await, before);
    // Many documents at once, and a max of an absent entry.
    Post::update_many(Filter::all()).max(scores.key("ann"), 4).max(scores.key("eve"), 4).execute(&db).await.unwrap();
    let now = Post::get_by_id(&db, 1).await.unwrap();
    assert_eq!((now.scores["ann"], now.scores["eve"]), (5, 4));
}

#[tokio::test]
async fn an_entry_beyond_the_bound_is_refused_by_the_validator() {
    let db = database().await;
    applied(schema![Post], &db).await;
    Post::insert(&db, &post(1)).await.unwrap();
    let scores = Post::F.scores;
    Post::update_by_id(1).set(scores.key("c"), 1).set(scores.key("d"), 1).execute(&db).await.unwrap();
    let error = Post::update_by_id(1).set(scores.key("e"), 1).execute(&db).await.unwrap_err();
    let Error::BoundExceeded { field, bound: 4, size: 5, unit: BoundUnit::Entries, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(field, "scores");
    // The bounds of the entry hold, too.
    let error = Post::update_by_id(1)
        .set(Post::F.homes.key("ann").inside(|home| home.tags), vec!["a".to_owned(); 4])
        .execute(&db)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { bound: 3, .. }), "{error:?}");
}

#[tokio::test]
async fn a_key_that_is_no_name_is_an_error_before_a_command() {
    let (db, log) = database_with_log().await;
    for key in ["", ".", "a.b", "$a", "a$[]", "$[]", "$", "a\0b", "\0"] {
        log.clear();
        for error in [
            Post::find(Post::F.scores.key(key).eq(3)).fetch_all(&db).await.unwrap_err(),
            Post::find(!Post::F.homes.key(key).inside(|home| home.city).eq("x")).count(&db).await.unwrap_err(),
            Post::update_by_id(1).set(Post::F.scores.key(key), 3).execute(&db).await.unwrap_err(),
            Post::update_by_id(1)
                .inc(Post::F.scores.key(key), 3)
                .set(Post::F.title, "x")
                .execute(&db)
                .await
                .unwrap_err(),
            Post::update_by_id(1).unset(Post::F.homes.key(key)).execute(&db).await.unwrap_err(),
            Post::update_many(Filter::all())
                .push(Post::F.homes.key(key).inside(|home| home.tags), "x")
                .execute(&db)
                .await
                .map(drop)
                .unwrap_err(),
        ] {
            let Error::Encode { field, .. } = &error else { panic!("{error:?}") };
            assert!(["scores", "homes"].contains(&field.as_str()), "{field}");
            assert!(key.len() < 2 || !error.to_string().contains(key), "{error}");
        }
        assert_eq!(log.commands().len(), 0);
    }
}
