//! A list of enums: a condition or a change of a variant concerns a single element.

use schema_runtime::prelude::*;

use super::{Body, Post, ids, picture, poll, post, start, text};

fn with(id: i64, blocks: Vec<Body>) -> Post {
    Post { blocks, ..post(id, poll(0)) }
}

#[tokio::test]
async fn a_condition_is_of_one_element() {
    let db = start().await;
    let posts =
        [with(1, vec![text("x"), picture("y")]), with(2, vec![text("y"), picture("x")]), with(3, vec![poll(1)])];
    Post::insert_many(&db, posts).await.unwrap();
    let blocks = Post::F.blocks;
    assert_eq!(ids(&db, blocks.elem_match(|block| block.text().caption.eq("x"))).await, [1]);
    assert_eq!(ids(&db, blocks.elem_match(|block| block.picture().caption.eq("x"))).await, [2]);
    assert_eq!(ids(&db, blocks.elem_match(|block| block.is_poll())).await, [3]);
    assert_eq!(ids(&db, blocks.is_text()).await, [1, 2], "some element is one");
    assert_eq!(ids(&db, blocks.author.eq("Ben")).await, [1, 2], "what all share is compared in each");
}

#[tokio::test]
async fn a_change_of_a_variant_leaves_the_others_as_they_are() {
    let db = start().await;
    Post::insert(&db, &with(1, vec![text("x"), picture("x"), text("y")])).await.unwrap();
    Post::update_by_id(1)
        .each(Post::F.blocks, |_| Filter::all(), |change, block| change.set(block.text().caption, "z"))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap().blocks, [text("z"), picture("x"), text("z")]);
    Post::update_by_id(1).pull_if(Post::F.blocks, |block| block.text().caption.eq("z")).execute(&db).await.unwrap();
    Post::update_by_id(1).push(Post::F.blocks, poll(2)).execute(&db).await.unwrap();
    assert_eq!(Post::get_by_id(&db, 1).await.unwrap().blocks, [picture("x"), poll(2)]);
}
