//! The code of a user of this crate.

use futures_util::future::try_join_all;
use schema_runtime::prelude::*;

use crate::data::{Comment, Data, LARGE, PAGE, SMALL};

pub(crate) async fn subtree(data: &Data) -> u64 {
    let top = Comment::get_by_id(&data.db, LARGE).await.expect("the top");
    top.descendants().fetch_all(&data.db).await.expect("a subtree").len() as u64
}

pub(crate) async fn count(data: &Data) -> u64 {
    let top = Comment::get_by_id(&data.db, LARGE).await.expect("the top");
    top.descendants().count(&data.db).await.expect("a number")
}

pub(crate) async fn page(data: &Data) -> u64 {
    let top = Comment::get_by_id(&data.db, LARGE).await.expect("the top");
    let page = top.descendants().sort(Comment::F.path.asc()).paginate(PAGE).fetch(&data.db).await.expect("a page");
    page.items.len() as u64
}

pub(crate) async fn move_many(data: &Data) -> u64 {
    Comment::move_under(&data.db, LARGE, data.another()).await.expect("a move");
    1
}

pub(crate) async fn move_few(data: &Data) -> u64 {
    Comment::move_under(&data.db, SMALL[0], data.another()).await.expect("a move");
    1
}

pub(crate) async fn movers(data: &Data) -> u64 {
    let under = data.another();
    try_join_all(SMALL.map(|id| Comment::move_under(&data.db, id, under))).await.expect("moves").len() as u64
}
