//! Random programs of four clients that insert, move and delete documents of a tree, of whom some stop anywhere. The raw documents are judged:
//! no cycle and no parent that is not there at any time, and once `recover` has run no wrong path.

use std::time::Duration;

use fastrand::Rng;
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use mongodb::bson::{Document, doc};
use schema_runtime::{
    Throttle,
    error::{Error, TreeError},
    prelude::*,
    schema,
};
use schema_tests::{
    database, scale,
    trees::{Category, Comment, Folder, Place, by_graph_lookup, lengthen, prepare, wrong_in},
};

/// A step of a client.
#[derive(Clone, Copy, Debug)]
enum Step {
    Insert(i64, Option<i64>),
    Move(i64, Option<i64>),
    Delete(i64),
    Promote(i64),
    Recover,
}

/// The documents that programs begin with; large ones have so many more under one of them.
const FIRST: i64 = 12;
const LEAVES: i64 = 1_010;

fn step(rng: &mut Rng) -> Step {
    let any = |rng: &mut Rng| rng.i64(0..FIRST + 4);
    let parent = |rng: &mut Rng| (rng.u8(0..8) > 0).then(|| any(rng));
    match rng.u8(0..20) {
        0..4 => Step::Insert(rng.i64(FIRST..FIRST + 4), parent(rng)),
        4..14 => Step::Move(any(rng), parent(rng)),
        14..17 => Step::Delete(any(rng)),
        17..19 => Step::Promote(any(rng)),
        _ => Step::Recover,
    }
}

macro_rules! steps {
    ($run:ident, $insert:ident, $model:ident, $id:expr) => {
        async fn $run(db: Database, step: Step) -> Result<()> {
            let id = $id;
            match step {
                Step::Insert(own, parent) => $model::insert(&db, &$model::new(id(own), parent.map(id))).await,
                Step::Move(own, Some(parent)) => $model::move_under(&db, id(own), id(parent)).await,
                Step::Move(own, None) => $model::move_to_root(&db, id(own)).await,
                Step::Delete(own) => $model::delete_by_id(&db, id(own)).await.map(drop),
                Step::Promote(own) => $model::promote_children(&db, id(own)).await.map(drop),
                Step::Recover => schema![$model].recover(&db, &Throttle::default()).await.map(drop),
            }
        }

        async fn $insert(db: Database, all: Vec<(i64, Option<i64>)>) -> Result<()> {
            let id = $id;
            $model::insert_many(&db, all.into_iter().map(|(own, parent)| $model::new(id(own), parent.map(id)))).await
        }
    };
}

steps!(folder, folders, Folder, |own: i64| own);
steps!(comment, comments, Comment, |own: i64| own);
steps!(category, categories, Category, |own: i64| own);
steps!(place, places, Place, |own: i64| format!("p{own}"));

type Run = fn(Database, Step) -> BoxFuture<'static, Result<()>>;
type Insert = fn(Database, Vec<(i64, Option<i64>)>) -> BoxFuture<'static, Result<()>>;

const MODELS: [(&str, Run, Insert); 4] = [
    ("folders", |db, step| folder(db, step).boxed(), |db, all| folders(db, all).boxed()),
    ("comments", |db, step| comment(db, step).boxed(), |db, all| comments(db, all).boxed()),
    ("categories", |db, step| category(db, step).boxed(), |db, all| categories(db, all).boxed()),
    ("places", |db, step| place(db, step).boxed(), |db, all| places(db, all).boxed()),
];

/// What a step may end with.
fn is_fair(error: &Error) -> bool {
    // Between two levels of a cascade some of the ancestors are not there, and their names cannot be read.
    if let Error::Tree(TreeError::MovePending { source, .. }) = error {
        return is_fair(source);
    }
    matches!(
        error,
        Error::NotFound { .. }
            | Error::DanglingReference { .. }
            | Error::DeleteRestricted { .. }
            | Error::DuplicateKey { .. }
            | Error::Tree(TreeError::Cycle { .. } | TreeError::TooDeep { .. })
    )
}

async fn client(db: Database, run: Run, steps: Vec<(Step, Option<u64>)>) {
    for (step, stops_after) in steps {
        let done = run(db.clone(), step);
        let ended = match stops_after {
            None => Some(done.await),
            // What is dropped stops where it is; what it had begun on the server ends with its transaction.
            Some(after) => tokio::time::timeout(Duration::from_millis(after), done).await.ok(),
        };
        if let Some(Err(error)) = ended {
            assert!(is_fair(&error), "{step:?}: {error}");
        }
    }
}

async fn program(db: &Database, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let (collection, run, insert) = MODELS[rng.usize(0..MODELS.len())];
    db.collection::<Document>(collection).delete_many(doc! {}).await.unwrap();
    let mut all: Vec<(i64, Option<i64>)> = (0..FIRST).map(|id| (id, (id > 2).then(|| rng.i64(0..id)))).collect();
    let is_large = rng.bool();
    if is_large {
        let under = rng.i64(0..FIRST);
        all.extend((100..100 + LEAVES).map(|id| (id, Some(under))));
    }
    insert(db.clone(), all).await.unwrap();
    if is_large {
        lengthen(db, collection).await;
    }
    let clients: FuturesUnordered<_> = (0..4)
        .map(|_| {
            let steps = (0..5).map(|_| (step(&mut rng), (rng.u8(0..4) == 0).then(|| rng.u64(0..30)))).collect();
            client(db.clone(), run, steps)
        })
        .collect();
    clients.collect::<Vec<()>>().await;
    let broken = by_graph_lookup(db, collection).await;
    assert_eq!(broken, [""; 0], "{collection}, program {seed}: before recover");
    let schema = schema![Folder, Comment, Category, Place];
    schema.recover(db, &Throttle::default()).await.unwrap();
    assert_eq!(wrong_in(db, collection).await, [""; 0], "{collection}, program {seed}");
    assert_eq!(by_graph_lookup(db, collection).await, [""; 0], "{collection}, program {seed}");
    let report = schema.verify(db).await.unwrap();
    assert!(report.is_clean(), "{collection}, program {seed}: {report}");
}

#[tokio::test]
async fn no_program_leaves_a_cycle_or_a_wrong_path() {
    let db = database().await;
    prepare(&db).await;
    for seed in 0..u64::from(scale::TREE_PROGRAMS.now()) {
        program(&db, seed).await;
    }
}
