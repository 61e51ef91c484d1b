//! The document that an update by `_id` returns.

use schema_runtime::ShardingError;

use super::*;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "sales")]
#[shard_key(store, id, distinct(store = 50_000))]
struct Sale {
    #[serde(rename = "_id")]
    id: i64,
    store: i64,
    total: i64,
}

#[tokio::test]
async fn the_document_before_and_after() {
    let (db, log) = start().await;
    let edit = EditPost { title: Some("new".to_owned()), ..EditPost::default() };
    let before = Post::update_by_id(1).apply(&edit).fetch_before(&db).await.unwrap();
    assert_eq!((&*before.title, before.version), ("post 1", 0));
    let after = Post::update_by_id(1).apply(&edit).inc(Post::F.likes, 1).fetch_after(&db).await.unwrap();
    assert_eq!((&*after.title, after.likes, after.version), ("new", 1, 2));
    assert_eq!(after, Post::get_by_id(&db, 1).await.unwrap());
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["findAndModify", "findAndModify", "find"]);

    for absent in [
        Post::update_by_id(9).apply(&edit).fetch_before(&db).await,
        Post::update_by_id(9).apply(&edit).fetch_after(&db).await,
        Post::update_by_id(9).push(Post::F.tags, "b").fetch_after(&db).await,
    ] {
        assert!(matches!(absent, Err(Error::NotFound { model: "Post", .. })), "{absent:?}");
    }
}

#[tokio::test]
async fn a_full_array_and_an_upsert() {
    let (db, log) = start().await;
    let full = Post::update_by_id(1).push_each(Post::F.tags, ["b", "c", "d"]).fetch_after(&db).await;
    assert!(matches!(full, Err(Error::BoundExceeded { size: 4, bound: 3, .. })), "{full:?}");

    log.clear();
    let new = post(7);
    let upsert = || {
        Post::update_by_id(7)
            .set(Post::F.title, "seven")
            .set(Post::F.state, State::Draft)
            .set(Post::F.place, &new.place)
            .set(Post::F.likes, 0)
            .push(Post::F.tags, "b")
            .upsert()
    };
    let refused = upsert().fetch_before(&db).await.unwrap_err();
    assert!(matches!(refused, Error::Update { .. }), "{refused}");
    assert_eq!(log.commands(), []);
    let inserted = upsert().fetch_after(&db).await.unwrap();
    assert_eq!((&*inserted.title, inserted.version, inserted.tags.len()), ("seven", 1, 1));
    assert_eq!(upsert().fetch_after(&db).await.unwrap().tags.len(), 2);
}

/// A router wants the whole shard key for a write that returns the document. The condition gives the key.
#[tokio::test]
async fn a_sharded_model_wants_the_key() {
    let (db, log) = database_with_log().await;
    Sale::insert(&db, &Sale { id: 1, store: 4, total: 10 }).await.unwrap();
    log.clear();
    let update = || Sale::update_by_id(1).inc(Sale::F.total, 1);
    let missing = update().fetch_after(&db).await.unwrap_err();
    assert!(
        matches!(&missing, Error::Sharding(ShardingError::KeyMissing { fields, .. }) if fields == &["store"]),
        "{missing}"
    );
    assert_eq!(log.commands(), []);
    assert_eq!(update().only_if(Sale::F.store.eq(4)).fetch_after(&db).await.unwrap().total, 11);
    let other = update().only_if(Sale::F.store.eq(5)).fetch_after(&db).await;
    assert!(matches!(other, Err(Error::ConditionFailed { .. })), "{other:?}");
    assert_eq!(update().execute(&db).await.unwrap().modified, 1);
    assert_eq!(update().only_if(Sale::F.total.eq(12)).execute(&db).await.unwrap().modified, 1);
}
