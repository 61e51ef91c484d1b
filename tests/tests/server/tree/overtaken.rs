//! Moves and cascades that meet: names of missing ancestors, children that are moved during a promotion, documents that
//! are inserted again.

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{
    Error, Throttle, TreeError,
    local::{Server, Topology},
    prelude::*,
    schema, transaction,
};
use schema_tests::{
    Fault, Proxy, database,
    trees::{Category, Comment, Folder, Reply, lengthen, prepare, wrong_in},
};

async fn categories(db: &Database, all: impl IntoIterator<Item = (i64, Option<i64>)>) {
    Category::insert_many(db, all.into_iter().map(|(id, parent)| Category::new(id, parent))).await.unwrap();
}

async fn count(db: &Database, collection: &str) -> u64 {
    db.collection::<Document>(collection).count_documents(doc! {}).await.unwrap()
}

/// 2 is moved under 1, and 3 and a thousand documents below 3 are still to be written. Then 1 is deleted with all
/// descendants: the names of 1 and of 2 are gone before the names of the descendants are written.
#[tokio::test]
async fn a_cascade_above_a_pending_move_ends() {
    for goes_on in [false, true] {
        let db = database().await;
        prepare(&db).await;
        let first = [(1, None), (2, None), (3, Some(2)), (4, None)];
        categories(&db, first.into_iter().chain((10..1_100).map(|id| (id, Some(3))))).await;
        let counting = Proxy::start([]).await;
        Category::move_under(&counting.database(db.name()).await, 2, 4).await.unwrap();
        Category::move_to_root(&db, 2).await.unwrap();
        let after = counting.first_commit() + 1;
        let fault = if goes_on { Fault::Hold } else { Fault::StopBefore };
        let proxy = Proxy::start([(after, fault)]).await;
        let through = proxy.database(db.name()).await;
        let moved = tokio::spawn(async move { Category::move_under(&through, 2, 1).await });
        proxy.reached().await;
        assert!(Category::delete_by_id(&db, 1).await.unwrap());
        if goes_on {
            proxy.release();
            // The move ends with a deleted document, or the rest of the move is written before the delete.
            let _ = moved.await.unwrap();
        }
        let recovered = schema![Category].recover(&db, &Throttle::default()).await.unwrap();
        assert_eq!(count(&db, "categories").await, 1, "{recovered}");
        assert_eq!(wrong_in(&db, "categories").await, [""; 0]);
    }
}

/// A transaction with a refused move does not commit the written part of the move, whatever the callback does with the
/// error.
#[tokio::test]
async fn a_refused_move_is_not_committed() {
    let db = database().await;
    prepare(&db).await;
    categories(&db, [(1, None), (2, Some(1)), (3, None)]).await;
    db.collection::<Document>("categories").delete_one(doc! { "_id": 1 }).await.unwrap();
    let ended = transaction(&db, |tx| async move {
        let moved = Category::move_under(&tx, 3, 2).await;
        assert!(matches!(moved, Err(Error::DanglingReference { .. })), "{moved:?}");
        Ok(())
    });
    let ended = ended.await;
    assert!(matches!(ended, Err(Error::DanglingReference { .. })), "{ended:?}");
    let third = db.collection::<Document>("categories").find_one(doc! { "_id": 3 }).await.unwrap().unwrap();
    assert_eq!((third.get_array("ancestors").unwrap().len(), third.contains_key("_tree")), (0, false));
}

/// Two children are moved up. After the first child, another client moves the second child or the parent of the
/// children.
#[tokio::test]
async fn a_child_that_was_moved_meanwhile_stays_there() {
    let db = database().await;
    prepare(&db).await;
    let start = || async {
        db.collection::<Document>("comments").delete_many(doc! {}).await.unwrap();
        let all = [(1, None), (2, Some(1)), (3, Some(2)), (4, Some(2)), (5, None)];
        Comment::insert_many(&db, all.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    };
    let parent = |id: i64| {
        let db = db.clone();
        async move { Comment::find_by_id(&db, id).await.unwrap().unwrap().parent.map(|parent| *parent.id()) }
    };
    start().await;
    let counting = Proxy::start([]).await;
    assert_eq!(Comment::promote_children(&counting.database(db.name()).await, 2).await.unwrap(), 2);
    let after = counting.first_commit() + 1;
    for is_child in [true, false] {
        start().await;
        let proxy = Proxy::start([(after, Fault::Hold)]).await;
        let through = proxy.database(db.name()).await;
        let promoting = tokio::spawn(async move { Comment::promote_children(&through, 2).await });
        proxy.reached().await;
        let (second, first) = if parent(3).await == Some(2) { (3, 4) } else { (4, 3) };
        Comment::move_under(&db, if is_child { second } else { 2 }, 5).await.unwrap();
        proxy.release();
        assert_eq!(promoting.await.unwrap().unwrap(), if is_child { 1 } else { 2 });
        // The child is at the place of the second move, or at the new place of its parent.
        assert_eq!([parent(first).await, parent(second).await], [Some(1), Some(5)], "{is_child}");
        assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
    }
}

/// Another client writes the documents of a part of a large move: the next attempt takes half as many documents.
#[tokio::test]
async fn a_part_that_others_write_is_halved() {
    let db = database().await;
    prepare(&db).await;
    let all = [(1, None), (2, None)].into_iter().chain((10..2_010).map(|id| (id, Some(1))));
    Comment::insert_many(&db, all.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    lengthen(&db, "comments").await;
    let counting = Proxy::start([]).await;
    Comment::move_under(&counting.database(db.name()).await, 1, 2).await.unwrap();
    Comment::move_to_root(&db, 1).await.unwrap();
    let names = counting.names();
    let rewriting = counting.first_commit();
    let rewriting = rewriting + names[rewriting..].iter().position(|name| name == "update").unwrap();
    db.run_command(doc! { "profile": 2 }).await.unwrap();
    let proxy = Proxy::start([(rewriting, Fault::Hold)]).await;
    let through = proxy.database(db.name()).await;
    let moved = tokio::spawn(async move { Comment::move_under(&through, 1, 2).await });
    proxy.reached().await;
    // The insert touches the parent of the new document.
    Comment::insert(&db, &Comment::new(9_000, Some(10))).await.unwrap();
    proxy.release();
    moved.await.unwrap().unwrap();
    db.run_command(doc! { "profile": 0 }).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
    let skipping = doc! { "ns": format!("{}.comments", db.name()), "command.skip": { "$gt": 1 } };
    let mut profile = db.collection::<Document>("system.profile").find(skipping).sort(doc! { "ts": 1 }).await.unwrap();
    let mut skipped = Vec::new();
    while profile.advance().await.unwrap() {
        let found = profile.deserialize_current().unwrap();
        skipped.push(found.get_document("command").unwrap().get_i64("skip").unwrap());
    }
    assert!(skipped.len() > 1 && skipped[1] == skipped[0] / 2, "{skipped:?}");
}

/// A tree with a reference to the parent alone, and a cascade.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[tree(parent, max_depth = 12, on_delete = cascade)]
    parent: Option<Ref<Task>>,
}

/// 1 is deleted, and 2 and 3 below 1 are not deleted yet: an insert of 1 below 2 or 3 is refused.
#[tokio::test]
async fn what_a_cascade_has_deleted_does_not_come_back_below_itself() {
    let db = database().await;
    let schema = schema![Task];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let task = |id: i64, parent: Option<i64>| Task { id, parent: parent.map(Ref::new) };
    let start = || async {
        Task::insert_many(&db, [task(1, None), task(2, Some(1)), task(3, Some(2))]).await.unwrap();
    };
    start().await;
    let counting = Proxy::start([]).await;
    assert!(Task::delete_by_id(&counting.database(db.name()).await, 1).await.unwrap());
    let commit = counting.first_commit();
    start().await;
    let proxy = Proxy::start([(commit, Fault::StopAfter)]).await;
    let through = proxy.database(db.name()).await;
    let deleting = tokio::spawn(async move { Task::delete_by_id(&through, 1).await });
    proxy.reached().await;
    deleting.abort();
    assert_eq!(count(&db, "tasks").await, 2);
    for under in [3, 2] {
        let inserted = Task::insert(&db, &task(1, Some(under))).await;
        let is_refused =
            matches!(inserted, Err(Error::Tree(TreeError::Cycle { .. }) | Error::DanglingReference { .. }));
        assert!(is_refused, "under {under}: {inserted:?}");
    }
    let both = Task::insert_many(&db, [task(4, Some(3)), task(1, Some(4))]).await;
    assert!(both.is_err(), "{both:?}");
    schema.recover(&db, &Throttle::default()).await.unwrap();
    assert_eq!(count(&db, "tasks").await, 0);
}

/// A server without transactions deletes nothing of a tree, and the error leaves no mark.
#[tokio::test]
async fn a_standalone_leaves_no_mark() {
    let server = Server::builder().topology(Topology::Standalone).own(true).start().await.unwrap();
    let db = server.database("trees").await.unwrap();
    schema![Reply, Folder].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let replies = db.collection::<Document>("replies");
    let leaf = doc! { "_id": 1_i64, "parent": null, "path": "" };
    replies.insert_one(&leaf).await.unwrap();
    let deleted = Reply::delete_by_id(&db, 1).await;
    assert!(matches!(deleted, Err(Error::NotReplicaSet)), "{deleted:?}");
    assert_eq!(replies.find_one(doc! {}).await.unwrap(), Some(leaf));
}
