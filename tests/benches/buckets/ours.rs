//! The code of a user of this crate.

use schema_runtime::{Joined, prelude::*};

use crate::data::{Comment, Data, PAGE, comment};

fn sum(comments: &Joined<Comment>) -> u64 {
    comments.iter().map(|comment| comment.id.unsigned_abs()).sum()
}

pub(crate) async fn bucket(data: &Data) -> u64 {
    let (post, page) = data.next();
    let page = u32::try_from(page).expect("a page");
    sum(&post.comments().bucket(page).fetch_all(&data.db).await.expect("a bucket"))
}

pub(crate) async fn latest(data: &Data) -> u64 {
    let (post, _) = data.next();
    sum(&post.comments().latest(PAGE as u32).fetch_all(&data.db).await.expect("the latest"))
}

pub(crate) async fn insert(data: &Data) -> u64 {
    let id = data.new_id();
    Comment::insert(&data.db, &comment(id, id % 50)).await.expect("an insert");
    1
}

pub(crate) async fn insert_many(data: &Data) -> u64 {
    let (first, post) = (data.new_id() * 1_000, 100);
    let many: Vec<Comment> = (first..first + PAGE).map(|id| comment(id, post)).collect();
    Comment::insert_many(&data.db, &many).await.expect("inserts");
    1
}
