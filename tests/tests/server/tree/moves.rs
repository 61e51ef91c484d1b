//! Moves of documents with all descendants.

use schema_runtime::{Error, Throttle, TreeError, prelude::*, schema, transaction};
use schema_tests::{
    Proxy, database,
    trees::{Category, Comment, Folder, Place, lengthen, prepare, wrong_in},
};

/// 1 to 9: 2 and 3 under 1, 4 and 5 under 2, 6 and 7 under 3, 8 under 4; 9 is a root.
const ALL: [(i64, Option<i64>); 9] = [
    (1, None),
    (2, Some(1)),
    (3, Some(1)),
    (4, Some(2)),
    (5, Some(2)),
    (6, Some(3)),
    (7, Some(3)),
    (8, Some(4)),
    (9, None),
];

#[tokio::test]
async fn a_subtree_goes_with_it() {
    let db = database().await;
    prepare(&db).await;
    Folder::insert_many(&db, ALL.map(|(id, parent)| Folder::new(id, parent))).await.unwrap();
    Comment::insert_many(&db, ALL.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, ALL.map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let name = |id: i64| format!("p{id}");
    let places = ALL.map(|(id, parent)| Place::new(name(id), parent.map(name)));
    Place::insert_many(&db, places).await.unwrap();
    for (id, under) in [(2, Some(6)), (3, None), (3, Some(9)), (8, Some(1)), (9, Some(1)), (2, Some(1))] {
        match under {
            Some(under) => {
                Folder::move_under(&db, id, under).await.unwrap();
                Comment::move_under(&db, id, under).await.unwrap();
                Category::move_under(&db, id, under).await.unwrap();
                Place::move_under(&db, name(id), name(under)).await.unwrap();
            }
            None => {
                Folder::move_to_root(&db, id).await.unwrap();
                Comment::move_to_root(&db, id).await.unwrap();
                Category::move_to_root(&db, id).await.unwrap();
                Place::move_to_root(&db, name(id)).await.unwrap();
            }
        }
        for collection in ["folders", "comments", "categories", "places"] {
            assert_eq!(wrong_in(&db, collection).await, [""; 0], "{collection}: {id} under {under:?}");
        }
    }
    let (folder, comment) = (Folder::get_by_id(&db, 8).await.unwrap(), Comment::get_by_id(&db, 8).await.unwrap());
    assert_eq!((folder.parent, comment.parent), (Some(Ref::new(1)), Some(Ref::new(1))));
}

#[tokio::test]
async fn what_no_move_may_be() {
    let db = database().await;
    prepare(&db).await;
    Folder::insert_many(&db, ALL.map(|(id, parent)| Folder::new(id, parent))).await.unwrap();
    Comment::insert_many(&db, ALL.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, ALL.map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let cycle = |result: Result<()>| assert!(matches!(result, Err(Error::Tree(TreeError::Cycle { .. }))), "{result:?}");
    for (id, under) in [(1, 8), (1, 1), (2, 4)] {
        cycle(Folder::move_under(&db, id, under).await);
        cycle(Comment::move_under(&db, id, under).await);
        cycle(Category::move_under(&db, id, under).await);
    }
    let gone = Comment::move_under(&db, 1, 77).await;
    assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");
    let gone = Comment::move_under(&db, 77, 1).await;
    assert!(matches!(gone, Err(Error::NotFound { .. })), "{gone:?}");
    // A chain from 10 to 20 below 9: 12 levels together with the descendants of 2.
    let chain = |id: i64| (id, Some(if id == 10 { 9 } else { id - 1 }));
    Folder::insert_many(&db, (10..=20).map(chain).map(|(id, parent)| Folder::new(id, parent))).await.unwrap();
    Comment::insert_many(&db, (10..=20).map(chain).map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, (10..=20).map(chain).map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let deep = |result: Result<()>| {
        let is_deep = matches!(result, Err(Error::Tree(TreeError::TooDeep { depth: 13, max: 12, .. })));
        assert!(is_deep, "{result:?}");
    };
    deep(Folder::move_under(&db, 2, 19).await);
    deep(Comment::move_under(&db, 2, 19).await);
    deep(Category::move_under(&db, 2, 19).await);
    Comment::move_under(&db, 2, 18).await.unwrap();
    Folder::move_under(&db, 2, 18).await.unwrap();
    Category::move_under(&db, 2, 18).await.unwrap();
    for collection in ["folders", "comments", "categories"] {
        assert_eq!(wrong_in(&db, collection).await, [""; 0], "{collection}");
    }
}

#[tokio::test]
async fn a_large_move_is_written_in_parts() {
    let db = database().await;
    prepare(&db).await;
    let wide = |id: i64| (id, Some(if id < 30 { 2 } else { 10 + id % 20 }));
    let many = || ALL.into_iter().chain((10..2_600).map(wide));
    Comment::insert_many(&db, many().map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    Category::insert_many(&db, many().map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let name = |id: i64| format!("p{id}");
    let places = many().map(|(id, parent)| Place::new(name(id), parent.map(name)));
    Place::insert_many(&db, places).await.unwrap();
    for collection in ["comments", "categories", "places"] {
        lengthen(&db, collection).await;
    }
    let counting = Proxy::start([]).await;
    Comment::move_under(&counting.database(db.name()).await, 2, 7).await.unwrap();
    let commits = counting.names().iter().filter(|name| *name == "commitTransaction").count();
    assert!(commits > 2, "{:?}", counting.names());
    Category::move_under(&db, 2, 7).await.unwrap();
    Place::move_under(&db, name(2), name(7)).await.unwrap();
    for collection in ["comments", "categories", "places"] {
        assert_eq!(wrong_in(&db, collection).await, [""; 0], "{collection}");
    }
    let two = Comment::get_by_id(&db, 2).await.unwrap();
    assert_eq!(two.descendants().count(&db).await.unwrap(), 2_593);
}

#[tokio::test]
async fn in_a_transaction_with_others() {
    let db = database().await;
    prepare(&db).await;
    Comment::insert_many(&db, ALL.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    transaction(&db, |tx| async move {
        Comment::insert(&tx, &Comment::new(10, Some(8))).await?;
        Comment::move_under(&tx, 2, 9).await?;
        Comment::insert(&tx, &Comment::new(11, Some(8))).await
    })
    .await
    .unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
    let ended = transaction(&db, |tx| async move {
        Comment::move_under(&tx, 9, 1).await?;
        Comment::move_under(&tx, 1, 8).await
    });
    assert!(matches!(ended.await, Err(Error::Tree(TreeError::Cycle { .. }))));
    let nine = Comment::get_by_id(&db, 9).await.unwrap();
    assert_eq!(nine.parent, None, "all or nothing");
    let schema = schema![Folder, Comment, Category, Place];
    assert_eq!(schema.recover(&db, &Throttle::default()).await.unwrap().to_string(), "nothing to recover");
}
