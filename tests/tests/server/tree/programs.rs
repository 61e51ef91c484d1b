//! Random programs of four clients that insert, move and delete documents of a tree; some clients do not wait for the
//! end of a write. The raw documents are judged: no cycle and no missing parent at any time, and after `recover` no
//! wrong path.

use std::time::Duration;

use fastrand::Rng;
use futures_util::{StreamExt, future::join_all, stream::FuturesUnordered};
use mongodb::Database;
use schema_runtime::{Throttle, finish_writes, schema};
use schema_tests::{
    database, scale,
    trees::{
        Category, Comment, Folder, Place, Step, TREES, TreeModel, by_graph_lookup, is_fair, prepare, step, wrong_in,
    },
};

async fn client(db: Database, tree: &TreeModel, steps: Vec<(Step, Option<u64>)>) {
    for (step, stops_after) in steps {
        let done = (tree.run)(db.clone(), step);
        let ended = match stops_after {
            None => Some(done.await),
            // A write of a caller that gave up goes on, concurrent with the next writes of the client.
            // `convergence/kill_trees` kills clients.
            Some(after) => tokio::time::timeout(Duration::from_millis(after), done).await.ok(),
        };
        if let Some(Err(error)) = ended {
            assert!(is_fair(&error), "{step:?}: {error}");
        }
    }
}

async fn program(db: &Database, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let tree = &TREES[rng.usize(0..TREES.len())];
    let collection = tree.collection;
    let is_large = rng.bool();
    tree.begin(db, is_large, &mut rng).await;
    let clients: FuturesUnordered<_> = (0..4)
        .map(|_| {
            let steps = (0..5).map(|_| (step(&mut rng), (rng.u8(0..4) == 0).then(|| rng.u64(0..30)))).collect();
            client(db.clone(), tree, steps)
        })
        .collect();
    clients.collect::<Vec<()>>().await;
    finish_writes(db).await;
    let broken = by_graph_lookup(db, collection).await;
    assert_eq!(broken, [""; 0], "{collection}, program {seed}: before recover");
    let schema = schema![Folder, Comment, Category, Place];
    schema.recover(db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(db, collection).await, [""; 0], "{collection}, program {seed}");
    assert_eq!(by_graph_lookup(db, collection).await, [""; 0], "{collection}, program {seed}");
    let report = schema.verify(db).await.unwrap();
    assert!(report.is_clean(), "{collection}, program {seed}: {report}");
}

/// The number of programs that run at the same time, each in a separate database.
const AT_ONCE: u64 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_program_leaves_a_cycle_or_a_wrong_path() {
    let programs = u64::from(scale::TREE_PROGRAMS.now());
    let rows = (0..AT_ONCE).map(|first| {
        tokio::spawn(async move {
            let db = database().await;
            prepare(&db).await;
            for seed in (first..programs).step_by(AT_ONCE as usize) {
                program(&db, seed).await;
            }
        })
    });
    for ended in join_all(rows).await {
        ended.unwrap();
    }
}
