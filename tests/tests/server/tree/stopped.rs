//! A large move that fails or stops at each of its commands, and a completion that fails or stops.

use fastrand::Rng;
use futures_util::{StreamExt, stream};
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, Throttle, TreeError, prelude::*, schema, transaction};
use schema_tests::{
    Fault, Proxy, database, scale,
    trees::{Category, Comment, Reply, by_graph_lookup, lengthen, prepare, wrong_in},
};

const FAULTS: [Fault; 6] =
    [Fault::StopBefore, Fault::StopAfter, Fault::Refuse, Fault::Close, Fault::Lose, Fault::Unmet];

/// Writes 1, and 2 under 1 with 2,040 leaves; 3 is a second root.
async fn start(db: &Database) {
    db.collection::<Document>("comments").delete_many(doc! {}).await.unwrap();
    let all = [(1, None), (2, Some(1)), (3, None)].into_iter().chain((10..2_050).map(|id| (id, Some(2))));
    Comment::insert_many(db, all.map(|(id, parent)| Comment::new(id, parent))).await.unwrap();
    lengthen(db, "comments").await;
}

async fn move_it(db: Database) -> Result<()> {
    Comment::move_under(&db, 2, 3).await
}

async fn recover(db: Database) -> Result<()> {
    schema![Comment].recover(&db, &Throttle::default()).await.map(drop)
}

/// Waits until the work is done, fails or stops.
async fn ended(proxy: &Proxy, work: impl Future<Output = Result<()>>) -> Option<Result<()>> {
    tokio::select! {
        result = work => Some(result),
        () = proxy.reached() => None,
    }
}

/// A move that meets a fault at a command, and a recover after the move that meets the fault too.
async fn case(at: usize, fault: Fault, of_recover: usize) {
    let db = database().await;
    prepare(&db).await;
    start(&db).await;
    let proxy = Proxy::start([(at, fault)]).await;
    let through = proxy.database(db.name()).await;
    let _ = ended(&proxy, move_it(through)).await;
    assert_eq!(by_graph_lookup(&db, "comments").await, [""; 0], "{fault:?} at command {at}");
    let proxy = Proxy::start([(of_recover, fault)]).await;
    let through = proxy.database(db.name()).await;
    let _ = ended(&proxy, recover(through)).await;
    recover(db.clone()).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0], "{fault:?} at commands {at} and {of_recover}");
}

#[tokio::test]
async fn at_each_command() {
    let db = database().await;
    prepare(&db).await;
    let counting = Proxy::start([]).await;
    start(&db).await;
    move_it(counting.database(db.name()).await).await.unwrap();
    let commands = counting.names().len();
    assert!(commands > 15, "{:?}", counting.names());
    let mut rng = Rng::with_seed(scale::TREE_STOPS.now().into());
    let cases: Vec<_> = (0..scale::TREE_STOPS.now())
        .map(|number| case(rng.usize(0..commands), FAULTS[number as usize % FAULTS.len()], rng.usize(0..8)))
        .collect();
    // Several cases run in parallel: the client after a client that stopped in a transaction waits until the server
    // ends the transaction.
    stream::iter(cases).buffer_unordered(8).collect::<()>().await;
}

/// Stops a large move after its first transaction.
async fn left_pending(db: &Database) {
    start(db).await;
    let names = {
        let proxy = Proxy::start([]).await;
        move_it(proxy.database(db.name()).await).await.unwrap();
        proxy.names()
    };
    start(db).await;
    let commit = names.iter().position(|name| name == "commitTransaction").unwrap();
    let proxy = Proxy::start([(commit, Fault::StopAfter)]).await;
    assert!(ended(&proxy, move_it(proxy.database(db.name()).await)).await.is_none());
    assert_eq!(pending(db).await, 1);
}

async fn pending(db: &Database) -> u64 {
    db.collection::<Document>("comments").count_documents(doc! { "_moving": { "$exists": true } }).await.unwrap()
}

#[tokio::test]
async fn the_next_move_completes_it() {
    let db = database().await;
    prepare(&db).await;
    left_pending(&db).await;
    Comment::insert(&db, &Comment::new(5, Some(10))).await.unwrap();
    Comment::move_under(&db, 11, 1).await.unwrap();
    assert_eq!(pending(&db).await, 0);
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}

#[tokio::test]
async fn in_a_transaction_it_is_an_error() {
    let db = database().await;
    prepare(&db).await;
    left_pending(&db).await;
    let moved = transaction(&db, |tx| async move { Comment::move_under(&tx, 11, 1).await }).await;
    assert!(matches!(moved, Err(Error::Tree(TreeError::MoveInProgress { collection: "comments" }))), "{moved:?}");
    let report = schema![Comment].verify(&db).await.unwrap();
    assert!(report.to_string().starts_with("nothing found except pending work\n"), "{report}");
    let recovered = schema![Comment].recover(&db, &Throttle::default()).await.unwrap();
    assert_eq!(recovered.to_string(), "Comment.parent: 1 pending move, 1 document written");
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
    transaction(&db, |tx| async move { Comment::move_under(&tx, 11, 1).await }).await.unwrap();
}

#[tokio::test]
async fn a_move_that_is_done_and_not_complete_says_so() {
    let db = database().await;
    prepare(&db).await;
    start(&db).await;
    let proxy = Proxy::start([]).await;
    move_it(proxy.database(db.name()).await).await.unwrap();
    let names = proxy.names();
    let last = names.iter().rposition(|name| name == "update").unwrap();
    start(&db).await;
    let proxy = Proxy::start([(last, Fault::Refuse)]).await;
    let moved = move_it(proxy.database(db.name()).await).await;
    assert!(matches!(&moved, Err(Error::Tree(TreeError::MovePending { .. }))), "{moved:?}");
    recover(db.clone()).await.unwrap();
    assert_eq!(wrong_in(&db, "comments").await, [""; 0]);
}

/// 4 is moved out of 2 after the delete of 2, and before the delete of 5. 5 is between 2 and 4.
#[tokio::test]
async fn a_cascade_leaves_nothing_of_a_move_behind() {
    let db = database().await;
    let schema = schema![Reply];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    let replies = db.collection::<Document>("replies");
    for at in 8..40 {
        replies.delete_many(doc! {}).await.unwrap();
        half_moved(&db).await;
        let proxy = Proxy::start([(at, Fault::Hold)]).await;
        let through = proxy.database(db.name()).await;
        let deleted = tokio::spawn(async move { Reply::delete_by_id(&through, 2).await });
        proxy.reached().await;
        if replies.find_one(doc! { "_id": 2 }).await.unwrap().is_some() {
            // The delete has not come to this level yet.
            proxy.release();
            deleted.await.unwrap().unwrap();
            continue;
        }
        assert!(replies.find_one(doc! { "_id": 5 }).await.unwrap().is_some(), "held too late, at {at}");
        Reply::move_under(&db, 4, 1).await.unwrap();
        proxy.release();
        deleted.await.unwrap().unwrap();
        schema.recover(&db, &Throttle::default()).await.unwrap();
        assert_eq!(wrong_in(&db, "replies").await, [""; 0]);
        assert_eq!(replies.count_documents(doc! {}).await.unwrap(), 1_593);
        return;
    }
    panic!("the delete was never held between the two");
}

/// Moves 2 from 1 to 3, and stops. A thousand descendants of 2 are written, among them 5, and 4 under 5.
async fn half_moved(db: &Database) {
    let first = [(1, None), (2, Some(1)), (3, None), (5, Some(2)), (4, Some(5))];
    Reply::insert_many(db, first.into_iter().chain((10..1_600).map(|id| (id, Some(4)))).map(Reply::of)).await.unwrap();
    let proxy = Proxy::start([]).await;
    let through = proxy.database(db.name()).await;
    Reply::move_under(&through, 2, 3).await.unwrap();
    let commands = proxy.names();
    let mut commits = commands.iter().enumerate().filter(|(_, name)| *name == "commitTransaction");
    let second = commits.nth(1).unwrap().0;
    Reply::move_under(db, 2, 1).await.unwrap();
    let proxy = Proxy::start([(second, Fault::StopAfter)]).await;
    let through = proxy.database(db.name()).await;
    assert!(ended(&proxy, async { Reply::move_under(&through, 2, 3).await }).await.is_none());
}

#[tokio::test]
async fn names_follow_those_that_were_moved() {
    let db = database().await;
    prepare(&db).await;
    let all = [(1, None), (2, Some(1)), (3, None)].into_iter().chain((10..1_200).map(|id| (id, Some(2))));
    Category::insert_many(&db, all.map(|(id, parent)| Category::new(id, parent))).await.unwrap();
    let renamed = async {
        for turn in 0..10 {
            Category::update_by_id(3).set(Category::F.name, format!("new {turn}")).execute(&db).await.unwrap();
            Category::update_by_id(2).set(Category::F.name, format!("own {turn}")).execute(&db).await.unwrap();
        }
    };
    let moved = async {
        for under in [3, 1, 3, 1, 3] {
            Category::move_under(&db, 2, under).await.unwrap();
        }
    };
    tokio::join!(renamed, moved);
    schema![Category].recover(&db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(&db, "categories").await, [""; 0]);
}
