//! The model and the documents: comments by materialized path.

use std::sync::atomic::{AtomicI64, Ordering};

use schema_runtime::{
    mongodb::options::{DatabaseOptions, WriteConcern},
    prelude::*,
};

/// The roots of the moves.
pub(crate) const ROOTS: [i64; 2] = [1, 2];
/// A document with 10,000 descendants.
pub(crate) const LARGE: i64 = 10;
/// The number of documents on a page.
pub(crate) const PAGE: u32 = 50;
/// The documents with 100 descendants each.
pub(crate) const SMALL: [i64; 8] = [11, 12, 13, 14, 15, 16, 17, 18];

#[derive(Model, Serialize, Deserialize, Clone)]
#[model(collection = "comments")]
pub(crate) struct Comment {
    #[serde(rename = "_id")]
    pub(crate) id: i64,
    #[tree(parent, max_depth = 8)]
    pub(crate) parent: Option<Ref<Comment>>,
    #[tree(path)]
    pub(crate) path: TreePath<Comment>,
    #[bound(max_len = 40)]
    pub(crate) text: String,
}

pub(crate) struct Data {
    /// The database. A majority has every write, on both sides.
    pub(crate) db: Database,
    moved: AtomicI64,
}

fn comment(id: i64, parent: Option<i64>) -> Comment {
    let text = format!("comment {id}");
    Comment { id, parent: parent.map(Ref::new), path: TreePath::default(), text }
}

impl Data {
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let mut options = DatabaseOptions::default();
        options.write_concern = Some(WriteConcern::majority());
        let db = db.client().database_with_options(db.name(), options);
        schema![Comment].plan(&db).await.expect("a plan").apply(&db).await.expect("the plan applied");
        let tops = ROOTS.map(|id| comment(id, None)).into_iter();
        let tops = tops.chain([comment(LARGE, Some(1))]).chain(SMALL.map(|id| comment(id, Some(1))));
        Comment::insert_many(&db, tops).await.expect("roots");
        // A hundred children with ninety-nine children each.
        let inner = (0..100).map(|at| comment(1_000 + at, Some(LARGE)));
        let leaves = (0..9_900).map(|at| comment(10_000 + at, Some(1_000 + at % 100)));
        let small =
            SMALL.into_iter().flat_map(|top| (0..100).map(move |at| comment(top * 10_000 + 50_000 + at, Some(top))));
        let all: Vec<Comment> = inner.chain(leaves).chain(small).collect();
        Comment::insert_many(&db, &all).await.expect("comments");
        Data { db, moved: AtomicI64::new(0) }
    }

    /// Returns the root different from the root before.
    pub(crate) fn another(&self) -> i64 {
        ROOTS[usize::try_from(self.moved.fetch_add(1, Ordering::Relaxed) % 2).expect("0 or 1")]
    }
}
