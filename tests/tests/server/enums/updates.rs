//! Updates by token: of the shared fields of all variants, of the fields of a single variant, of the whole enum.

use mongodb::bson::{Document, doc};
use schema_runtime::{Error, prelude::*};

use super::{Body, Post, picture, poll, post, start, text};

#[tokio::test]
async fn what_all_share_is_changed_in_each() {
    let db = start().await;
    Post::insert_many(&db, [post(1, text("x")), post(2, picture("x")), post(3, poll(1))]).await.unwrap();
    let changed = Post::update_many(Filter::all()).set(Post::F.body.author, "Cy").execute(&db).await.unwrap();
    assert_eq!(changed.modified, 3);
    assert!(Post::find(Post::F.body.author.ne("Cy")).fetch_all(&db).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_field_of_one_variant_is_changed_there_alone() {
    let db = start().await;
    Post::insert_many(&db, [post(1, text("x")), post(2, picture("x")), post(3, poll(1))]).await.unwrap();
    let changed = Post::update_many(Filter::all()).set(Post::F.body.text().caption, "new").execute(&db).await.unwrap();
    assert_eq!((changed.matched, changed.modified), (1, 1));
    assert_eq!(Post::get_by_id(&db, 2).await.unwrap().body, picture("x"));
    let none = Post::update_by_id(3).push(Post::F.body.text().tags, "b").execute(&db).await.unwrap_err();
    assert!(matches!(none, Error::NotFound { .. }), "{none}");
    Post::update_by_id(3).inc(Post::F.body.poll().stars, 4).execute(&db).await.unwrap();
    assert_eq!(Post::get_by_id(&db, 3).await.unwrap().body, poll(5));
}

#[tokio::test]
async fn the_bounds_are_those_of_the_variant() {
    let db = start().await;
    Post::insert_many(&db, [post(1, text("x")), post(2, picture("x"))]).await.unwrap();
    let long = Post::update_by_id(1).set(Post::F.body.text().caption, "eleven char").execute(&db).await.unwrap_err();
    assert!(matches!(long, Error::BoundExceeded { bound: 10, size: 11, .. }), "{long}");
    Post::update_by_id(2).set(Post::F.body.picture().caption, "eleven char").execute(&db).await.unwrap();
    let whole = Post::update_by_id(2).set(Post::F.body, &text("eleven char")).execute(&db).await.unwrap_err();
    assert!(matches!(whole, Error::BoundExceeded { bound: 10, size: 11, .. }), "{whole}");
    let full =
        Post::update_by_id(1).push_each(Post::F.body.text().tags, ["b", "c", "d"]).execute(&db).await.unwrap_err();
    assert!(matches!(full, Error::BoundExceeded { bound: 3, size: 4, .. }), "{full}");
}

#[tokio::test]
async fn the_whole_becomes_another_variant() {
    let db = start().await;
    Post::insert(&db, &post(1, text("x"))).await.unwrap();
    let found = Post::find_one_and_update(Post::F.body.is_text()).set(Post::F.body, &poll(9)).fetch_after(&db).await;
    assert_eq!(found.unwrap().unwrap().body, poll(9));
    let stored = db.collection::<Document>("posts").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(stored.get_document("body").unwrap(), &doc! { "kind": "vote", "author": "Ada", "stars": 9_i64 });
    let mut saved = post(1, Body::Text { author: "Ada".to_owned(), caption: String::new(), tags: vec![] });
    Post::save(&db, &mut saved).await.unwrap();
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap(), saved);
}

#[tokio::test]
async fn two_variants_in_one_update_are_an_error() {
    let db = start().await;
    let update = Post::update_many(Filter::all()).set(Post::F.body.text().caption, "x");
    let error = update.set(Post::F.body.poll().stars, 1).execute(&db).await.unwrap_err();
    assert!(error.to_string().contains("two variants"), "{error}");
}
