//! The work of clients on trees: random steps, each on a model of [`super`].

use fastrand::Rng;
use futures_util::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, Throttle, TreeError, prelude::*, schema};

use super::{Category, Comment, Folder, Place, lengthen};

/// A step of a client.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Insert(i64, Option<i64>),
    Move(i64, Option<i64>),
    Delete(i64),
    Promote(i64),
    Recover,
}

/// The number of documents that programs begin with. A large tree has `LEAVES` more documents under one of the first
/// documents.
const FIRST: i64 = 12;
const LEAVES: i64 = 1_010;

/// Returns a random step. The ids are few: clients meet at the same documents.
pub fn step(rng: &mut Rng) -> Step {
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

/// The `_id` of a document and the `_id` of its parent.
type Node = (i64, Option<i64>);

/// A tree of a layout, with the writes of a client.
pub struct TreeModel {
    pub collection: &'static str,
    pub run: fn(Database, Step) -> BoxFuture<'static, Result<()>>,
    insert: fn(Database, Vec<Node>) -> BoxFuture<'static, Result<()>>,
}

/// The tree of a model. `$id` converts a number into an `_id`.
macro_rules! tree {
    ($model:ident, $id:expr) => {
        TreeModel {
            collection: $model::DEFINITION.collection,
            run: |db, step| {
                let run = async move {
                    let id = $id;
                    match step {
                        Step::Insert(own, parent) => $model::insert(&db, &$model::new(id(own), parent.map(id))).await,
                        Step::Move(own, Some(parent)) => $model::move_under(&db, id(own), id(parent)).await,
                        Step::Move(own, None) => $model::move_to_root(&db, id(own)).await,
                        Step::Delete(own) => $model::delete_by_id(&db, id(own)).await.map(drop),
                        Step::Promote(own) => $model::promote_children(&db, id(own)).await.map(drop),
                        Step::Recover => schema![$model].recover(&db, &Throttle::default()).await.map(drop),
                    }
                };
                run.boxed()
            },
            insert: |db, all| {
                let id = $id;
                let all = all.into_iter().map(move |(own, parent)| $model::new(id(own), parent.map(id)));
                async move { $model::insert_many(&db, all).await }.boxed()
            },
        }
    };
}

pub const TREES: [TreeModel; 4] = [
    tree!(Folder, |own: i64| own),
    tree!(Comment, |own: i64| own),
    tree!(Category, |own: i64| own),
    tree!(Place, |own: i64| format!("p{own}")),
];

impl TreeModel {
    /// Writes the first documents in a random tree. In a large tree, a move of some documents takes several
    /// transactions.
    ///
    /// # Panics
    /// If the documents cannot be written.
    pub async fn begin(&self, db: &Database, is_large: bool, rng: &mut Rng) {
        db.collection::<Document>(self.collection).delete_many(doc! {}).await.unwrap();
        let mut all: Vec<Node> = (0..FIRST).map(|id| (id, (id > 2).then(|| rng.i64(0..id)))).collect();
        if is_large {
            let under = rng.i64(0..FIRST);
            all.extend((100..100 + LEAVES).map(|id| (id, Some(under))));
        }
        (self.insert)(db.clone(), all).await.unwrap();
        if is_large {
            lengthen(db, self.collection).await;
        }
    }

    /// Writes for ever, as four clients, and reports the end of each step: `ended`, or `error` with the error.
    pub async fn write(&'static self, db: &Database, seed: u64, say: fn(&str)) {
        let clients = (0..4).map(|client| {
            let (db, mut rng) = (db.clone(), Rng::with_seed(seed * 4 + client));
            tokio::spawn(async move {
                loop {
                    let step = step(&mut rng);
                    match (self.run)(db.clone(), step).await {
                        Err(error) if !is_fair(&error) => say(&format!("error of {step:?}: {error}")),
                        _ => say("ended"),
                    }
                }
            })
        });
        join_all(clients).await;
    }
}

/// Returns true when a step may end with the error.
pub fn is_fair(error: &Error) -> bool {
    // Between two levels of a cascade some of the ancestors are missing, and the names of the missing ancestors cannot
    // be read.
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
