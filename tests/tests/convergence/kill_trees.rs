//! The client is killed (SIGKILL) at random points while its four writers insert, move and delete documents of a tree,
//! of each layout in turn. At any time no document is under itself or without its parent; after `recover`, all stored
//! ancestors are right.

use std::time::Duration;

use fastrand::Rng;
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Throttle, schema};
use schema_tests::{
    database, scale,
    trees::{Category, Comment, Folder, Place, TREES, by_graph_lookup, prepare, wrong_in},
};

use crate::client::{Client, another, settled, spread};

/// Returns the number of documents with a begun and unfinished move or delete.
async fn pending(db: &Database, collection: &str) -> u64 {
    let begun = doc! { "$or": [{ "_moving": { "$exists": true } }, { "_deleting": { "$exists": true } }] };
    db.collection::<Document>(collection).count_documents(begun).await.expect("a count")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_writes_trees() {
    let (db, uri) = (database().await, schema_tests::server().await.uri().to_owned());
    prepare(&db).await;
    let schema = schema![Folder, Comment, Category, Place];
    let (mut steps, mut left, mut round) = (0, 0, 0);
    while another(round, scale::TREE_KILLS, left) {
        let seed = (spread(round) * 1e6) as u64 * TREES.len() as u64 + u64::from(round) % TREES.len() as u64;
        let tree = &TREES[seed as usize % TREES.len()];
        // Half of the trees are large: a move takes several transactions.
        tree.begin(&db, round / 4 % 2 == 0, &mut Rng::with_seed(seed)).await;
        let client = Client::start(&db, &uri, "trees", seed as i64);
        let killed = tokio::task::spawn_blocking(move || {
            client.kill_after(Duration::from_millis(20) + Duration::from_millis(500).mul_f64(spread(round)))
        });
        steps += killed.await.expect("no error and no panic").lines().count();
        settled(&db).await;
        let what = format!("{}, round {round}, seed {seed}", tree.collection);
        assert_eq!(by_graph_lookup(&db, tree.collection).await, [""; 0], "{what}: before recover");
        left += u64::from(pending(&db, tree.collection).await > 0);
        schema.recover(&db, &Throttle::default()).await.expect("recover");
        assert_eq!(wrong_in(&db, tree.collection).await, [""; 0], "{what}");
        assert_eq!(by_graph_lookup(&db, tree.collection).await, [""; 0], "{what}");
        assert_eq!(pending(&db, tree.collection).await, 0, "{what}");
        let report = schema.verify(&db).await.expect("a report");
        assert!(report.is_clean(), "{what}: {report}");
        round += 1;
    }
    println!("{steps} steps ended; {left} of {round} kills left a move or a delete to recover");
    assert!(left > 0, "no kill came in the middle");
}
