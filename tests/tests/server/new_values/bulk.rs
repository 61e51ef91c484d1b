//! Models of new values in bulks and upserts.

use schema_runtime::prelude::*;
use schema_tests::database;

use super::{Post, new_post, stored};

#[tokio::test]
async fn a_bulk_inserts_models_of_new_values() {
    let db = database().await;
    let (one, two) = (new_post("one").into_model().unwrap(), new_post("two").into_model().unwrap());
    Post::bulk().insert(&one).insert(&two).execute(&db).await.unwrap().complete().unwrap();
    let found = Post::get_by_id(&db, one.id).await.unwrap();
    assert_eq!(Post { updated: one.updated, ..found.clone() }.title, "one");
    assert_eq!((found.views, found.note.as_deref()), (10, Some("none")));
    assert!(found.updated > one.updated);
    assert_eq!(stored(&db, "posts").await.len(), 2);
}

#[tokio::test]
async fn an_upsert_inserts_the_model_of_a_new_value() {
    let db = database().await;
    let model = new_post("one").into_model().unwrap();
    assert!(Post::upsert(&db, &model).await.unwrap());
    let mut stored = Post::get_by_id(&db, model.id).await.unwrap();
    stored.views = 11;
    Post::save(&db, &mut stored).await.unwrap();
    assert_eq!(Post::get_by_id(&db, model.id).await.unwrap().views, 11);
}
