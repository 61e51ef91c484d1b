//! Inserts, replacements and deletes of documents of a tree.

use mongodb::bson::doc;
use schema_runtime::{Error, TreeError, prelude::*, transaction};
use schema_tests::{
    database,
    trees::{Category, Comment, Folder, Place, prepare, wrong_in},
};

#[tokio::test]
async fn an_insert_has_the_ancestors_of_its_parent() {
    let db = database().await;
    prepare(&db).await;
    let mut root = Category::new(1, None);
    Category::create(&db, &mut root).await.unwrap();
    assert!(root.ancestors.is_empty());
    Category::insert(&db, &Category::new(2, Some(1))).await.unwrap();
    let mut leaf = Category::new(3, Some(2));
    Category::create(&db, &mut leaf).await.unwrap();
    let names: Vec<&str> = leaf.ancestors.iter().map(|ancestor| ancestor.name.as_str()).collect();
    assert_eq!(names, ["c1", "c2"], "the copies come with them");
    let mut place = Place::new("de", None);
    Place::create(&db, &mut place).await.unwrap();
    let mut city = Place::new("berlin", Some("de".to_owned()));
    Place::create(&db, &mut city).await.unwrap();
    assert_eq!((city.path.as_str(), city.depth, city.ancestors.len()), ("de:", 1, 1));
    assert_eq!(wrong_in(&db, "categories").await, [""; 0]);
    assert_eq!(wrong_in(&db, "places").await, [""; 0]);
}

#[tokio::test]
async fn many_are_inserted_together_in_any_order() {
    let db = database().await;
    prepare(&db).await;
    Comment::insert_many(&db, [(4, Some(3)), (1, None), (3, Some(2)), (2, Some(1)), (5, Some(3))].map(of_comment))
        .await
        .unwrap();
    let bulk = Comment::bulk().insert(&Comment::new(6, Some(5))).insert(&Comment::new(7, Some(6)));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert!(Comment::upsert(&db, &Comment::new(8, Some(7))).await.unwrap());
    Comment::upsert_many(&db, [Comment::new(9, Some(8)), Comment::new(10, Some(9))]).await.unwrap();
    transaction(&db, |tx| async move {
        Comment::insert(&tx, &Comment::new(11, Some(10))).await?;
        Comment::insert(&tx, &Comment::new(12, None)).await
    })
    .await
    .unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
    let deepest = Comment::get_by_id(&db, 11).await.unwrap();
    assert_eq!(deepest.path.depth(), 9);
}

fn of_comment((id, parent): (i64, Option<i64>)) -> Comment {
    Comment::new(id, parent)
}

#[tokio::test]
async fn what_no_insert_may_be() {
    let db = database().await;
    prepare(&db).await;
    let gone = Comment::insert(&db, &Comment::new(1, Some(7))).await.unwrap_err();
    assert!(matches!(&gone, Error::DanglingReference { relation, .. } if relation == "Comment.parent"), "{gone}");
    let own = Comment::insert(&db, &Comment::new(1, Some(1))).await.unwrap_err();
    assert!(matches!(own, Error::Tree(TreeError::Cycle { model: "Comment" })), "{own}");
    let cycle = Comment::insert_many(&db, [Comment::new(1, Some(2)), Comment::new(2, Some(1))]).await.unwrap_err();
    assert!(matches!(cycle.cause(), Error::Tree(TreeError::Cycle { .. })), "{cycle}");
    let chain = (0..14).map(|id| Comment::new(id, (id > 0).then(|| id - 1)));
    let deep = Comment::insert_many(&db, chain).await.unwrap_err();
    assert!(matches!(deep.cause(), Error::Tree(TreeError::TooDeep { depth: 13, max: 12, .. })), "{deep}");
    let folders = (0..13).map(|id| Folder::new(id, (id > 0).then(|| id - 1)));
    Folder::insert_many(&db, folders).await.unwrap();
    let deep = Folder::insert(&db, &Folder::new(13, Some(12))).await.unwrap_err();
    assert!(matches!(deep, Error::Tree(TreeError::TooDeep { .. })), "{deep}");
    let colon =
        Place::insert_many(&db, [Place::new("a:b", None), Place::new("c", Some("a:b".to_owned()))]).await.unwrap_err();
    assert!(matches!(colon.cause(), Error::Tree(TreeError::Id { model: "Place" })), "{colon}");
    assert_eq!(Comment::find(Filter::all()).count(&db).await.unwrap(), 0, "nothing is half-written");
    assert_eq!(Place::find(Filter::all()).count(&db).await.unwrap(), 0);
}

#[tokio::test]
async fn a_replacement_keeps_its_place() {
    let db = database().await;
    prepare(&db).await;
    Category::insert_many(&db, [Category::new(1, None), Category::new(2, Some(1)), Category::new(3, Some(2))])
        .await
        .unwrap();
    let mut value = Category::get_by_id(&db, 3).await.unwrap();
    value.name = "new".to_owned();
    value.ancestors.clear();
    Category::replace(&db, &value).await.unwrap();
    Category::save(&db, &mut value).await.unwrap();
    assert_eq!(value.ancestors.len(), 2, "what the tree keeps comes back");
    value.parent = Some(Ref::new(1));
    let moved = Category::save(&db, &mut value.clone()).await.unwrap_err();
    assert!(matches!(&moved, Error::Update { message } if message.contains("move_under")), "{moved}");
    let moved = Category::upsert(&db, &value).await.unwrap_err();
    assert!(matches!(&moved, Error::Update { .. }), "{moved}");
    let report = Category::bulk().replace(&value).replace(&Category::new(2, Some(1))).execute(&db).await;
    let report = report.unwrap();
    let failed: Vec<usize> = report.failures().map(|(at, _)| at).collect();
    assert_eq!(failed, [0], "{report:?}");
    let inserting = Category::bulk().upsert(&Category::new(9, Some(1))).execute(&db).await.unwrap();
    assert!(inserting.complete().is_err());
    assert_eq!(wrong_in(&db, "categories").await, [""; 0]);
}

#[tokio::test]
async fn deletes_heed_the_children() {
    let db = database().await;
    prepare(&db).await;
    Comment::insert_many(&db, [(1, None), (2, Some(1)), (3, Some(2))].map(of_comment)).await.unwrap();
    let kept = Comment::delete_by_id(&db, 2).await.unwrap_err();
    assert!(matches!(&kept, Error::DeleteRestricted { relation, .. } if relation == "Comment.parent"), "{kept}");
    assert_eq!(Comment::promote_children(&db, 2).await.unwrap(), 1);
    assert!(Comment::delete_by_id(&db, 2).await.unwrap());
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
    let left = db.collection::<mongodb::bson::Document>("comments").find_one(doc! { "_id": 3 }).await.unwrap().unwrap();
    assert_eq!(left.get_i64("parent").unwrap(), 1);
    let all = [(1, None), (2, Some(1)), (3, Some(2)), (4, None)].map(|(id, parent)| Category::new(id, parent));
    Category::insert_many(&db, all).await.unwrap();
    assert!(Category::delete_by_id(&db, 1).await.unwrap(), "`on_delete = cascade`");
    assert_eq!(Category::find(Filter::all()).count(&db).await.unwrap(), 1);
}
