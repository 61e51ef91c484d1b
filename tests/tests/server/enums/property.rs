//! Any value of an enum is stored as serde writes the value, passes the validator, and is read back unchanged.

use mongodb::bson::Document;
use proptest::{collection::vec, prelude::*, strategy::ValueTree, test_runner::TestRunner};
use schema_runtime::prelude::*;

use super::{Body, Post, start};

const CASES: usize = 150;

fn any_body() -> impl Strategy<Value = Body> {
    let text = ("\\PC{0,6}", "\\PC{0,10}", vec("\\PC{0,4}", 0..=3)).prop_map(|(author, caption, tags)| Body::Text {
        author,
        caption,
        tags,
    });
    let picture = ("\\PC{0,6}", "\\PC{0,20}", any::<i32>(), proptest::option::of("\\PC{0,9}"))
        .prop_map(|(author, caption, size, alt_text)| Body::Picture { author, caption, size, alt_text });
    let poll = ("\\PC{0,6}", any::<i64>()).prop_map(|(author, stars)| Body::Poll { author, stars });
    prop_oneof![text, picture, poll]
}

#[tokio::test]
async fn any_value_comes_back_as_it_was() {
    let db = start().await;
    let mut runner = TestRunner::deterministic();
    let any_post = (any_body(), proptest::option::of(any_body()), vec(any_body(), 0..=5));
    let posts: Vec<Post> = (0..CASES)
        .map(|id| {
            let (body, aside, blocks) = any_post.new_tree(&mut runner).unwrap().current();
            Post { id: id as i64, body, aside, blocks }
        })
        .collect();
    Post::insert_many(&db, posts.clone()).await.unwrap();
    let read = Post::find(Filter::all()).sort(Post::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(read, posts);
    let stored = db.collection::<Document>("posts");
    for post in &posts {
        let raw = stored.find_one(mongodb::bson::doc! { "_id": post.id }).await.unwrap().unwrap();
        assert_eq!(raw, encoded(post));
    }
}

#[cfg(feature = "bson-3")]
fn encoded(post: &Post) -> Document {
    mongodb::bson::serialize_to_document(post).unwrap()
}

#[cfg(not(feature = "bson-3"))]
fn encoded(post: &Post) -> Document {
    mongodb::bson::to_document(post).unwrap()
}
