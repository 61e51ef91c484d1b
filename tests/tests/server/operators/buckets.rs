//! The operators on children in buckets: a child is an element of an array.

use schema_runtime::{bucket::UpdateChild, prelude::*};
use schema_tests::{
    buckets::{Comment, Post, comment},
    database_with_log,
};

#[tokio::test]
async fn a_child_has_guards_and_positions() {
    let (db, log) = database_with_log().await;
    Post::insert(&db, &Post { id: 1, title: "post".to_owned() }).await.unwrap();
    for id in 1..=6 {
        let tags = vec!["a".to_owned(), "b".to_owned()];
        Comment::insert(&db, &Comment { tags, likes: 5, ..comment(id, 1, id) }).await.unwrap();
    }
    let (f, update) = (Comment::F, || Comment::update_by_id(2));
    let child = async || {
        let post = Post::get_by_id(&db, &1).await.unwrap();
        let comments = post.comments().latest(9).fetch_all(&db).await.unwrap();
        comments.into_iter().find(|comment| comment.id == 2).unwrap()
    };
    update().dec(f.likes, 2).set(f.tags.at_index(1), "c").execute(&db).await.unwrap();
    update().push_at(f.tags, 0, "first").bit_or(f.likes, 4).execute(&db).await.unwrap();
    assert_eq!((child().await.likes, child().await.tags.join(" ")), (7, "first a c".to_owned()));
    update().pop_last(f.tags).execute(&db).await.unwrap();
    assert_eq!(child().await.tags.join(" "), "first a");

    let over = update().inc(f.likes, i32::MAX).execute(&db).await.unwrap_err();
    assert!(matches!(over, Error::DocumentInvalid { .. }), "{over}");
    let absent = update().set(f.tags.at_index(3), "d").execute(&db).await.unwrap_err();
    assert!(matches!(absent, Error::NotFound { .. }), "{absent}");
    assert_eq!((child().await.likes, child().await.tags.len()), (7, 2));
    log.clear();
    let refused: [UpdateChild<Comment>; 1] = [update().set_expr(f.likes, f.likes.plus(f.likes))];
    for update in refused {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(error, Error::Update { .. }), "{error}");
    }
    assert!(log.commands().is_empty());
}
