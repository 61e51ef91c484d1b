//! Derived data of models that are sharded by `_id`: every write contains the keys, and no write is refused.

use schema_runtime::{Error, Throttle, prelude::*, schema};
use schema_tests::database;

use super::plan::new_database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "writers")]
#[shard_key(hashed(id))]
#[inverse(posts = Post::writer, on_delete = restrict)]
struct Writer {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    #[copied_to(Post::name, fan_out = 500)]
    name: String,
    #[computed(count(Post::writer))]
    posts_count: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "posts")]
#[shard_key(hashed(id))]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    writer: Ref<Writer>,
    #[bound(max_len = 60)]
    #[denormalize(from = writer.name)]
    name: String,
    #[relation(many_to_many, two_way, inverse = posts, max = 20)]
    tags: Vec<Ref<Tag>>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tags")]
#[shard_key(hashed(id))]
struct Tag {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(many_to_many, two_way, of = Post::tags, max = 500)]
    posts: Vec<Ref<Post>>,
}

#[tokio::test]
async fn all_that_is_derived_of_models_by_their_id() {
    let schema = schema![Writer, Post, Tag];
    // Real shards accept all three keys beside the indexes of the derived data.
    let cluster = new_database().await;
    schema.plan(&cluster).await.unwrap().apply(&cluster).await.unwrap().complete().unwrap();
    assert!(schema.plan(&cluster).await.unwrap().is_empty());

    let db = database().await;
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Writer::insert(&db, &Writer { id: 1, name: "Kate".to_owned(), posts_count: 0 }).await.unwrap();
    Tag::insert_many(&db, (1..=2).map(|id| Tag { id, posts: Vec::new() })).await.unwrap();
    let post = |id| Post { id, writer: Ref::new(1), name: "Kate".to_owned(), tags: vec![Ref::new(1)] };
    Post::insert_many(&db, (1..=3).map(post)).await.unwrap();
    Writer::update_by_id(1).set(Writer::F.name, "Trekkie").execute(&db).await.unwrap();
    let mut first = Post::get_by_id(&db, 1).await.unwrap();
    assert_eq!(first.name, "Trekkie");
    first.tags = vec![Ref::new(2)];
    Post::save(&db, &mut first).await.unwrap();
    assert_eq!(Tag::get_by_id(&db, 2).await.unwrap().posts, [Ref::new(1)]);
    assert_eq!(Writer::get_by_id(&db, 1).await.unwrap().posts_count, 3);
    assert!(matches!(Writer::delete_by_id(&db, 1).await, Err(Error::DeleteRestricted { .. })));
    assert!(Post::delete(&db, &first).await.unwrap());
    assert_eq!(Post::delete_many(&db, Filter::all()).await.unwrap(), 2);
    assert_eq!(Tag::get_by_id(&db, 1).await.unwrap().posts, []);
    assert!(Writer::delete_by_id(&db, 1).await.unwrap());
    schema.recover(&db, &Throttle::new()).await.unwrap();
    let verified = schema.verify(&db).await.unwrap();
    assert!(verified.is_clean(), "{verified}");
}
