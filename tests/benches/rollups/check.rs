//! The check of the parents against raw sums of their children.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use futures_util::TryStreamExt;
use schema_runtime::{
    Throttle,
    bson::{Bson, Document, doc},
};

use crate::{
    data::{Data, KEPT, SCHEMA},
    side::Side,
};

/// How long the fold of pending differences may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The collection of the differences that writers have left.
pub(crate) const LEFT: &str = "schema_deltas";

/// Parents, and the children that the parents keep a count, a sum and extremes of.
pub(crate) struct Keeps {
    pub(crate) children: &'static str,
    pub(crate) reference: &'static str,
    pub(crate) sum: &'static str,
    /// The field of the extremes, or a field that no child has if the parent keeps no extremes.
    pub(crate) extreme: &'static str,
    pub(crate) parents: &'static str,
    /// The fields of the parent: the count, the sum, the least and the greatest.
    pub(crate) names: [&'static str; 4],
}

/// The figures of each parent: the count, the sum, the least and the greatest.
type Kept = BTreeMap<i64, [Option<i64>; 4]>;

impl Data {
    pub(crate) async fn has_left(&self) -> bool {
        self.db.collection::<Document>(LEFT).find_one(doc! {}).await.expect("a read").is_some()
    }

    /// # Panics
    /// If a parent of this side stays wrong for a while and after a recover.
    pub(crate) async fn assert_right(&self, side: Side) {
        if side == Side::Raw {
            return;
        }
        let begun = Instant::now();
        loop {
            if !self.has_left().await {
                let wrong = self.wrong(side).await;
                match wrong.first() {
                    None => return,
                    Some(first) if begun.elapsed() > PATIENCE => {
                        panic!("{side:?}: {} parents are wrong: {first}", wrong.len());
                    }
                    Some(_) => {}
                }
            }
            if begun.elapsed() > PATIENCE / 2 {
                println!("  nobody has folded after {:.1?}: recover", begun.elapsed());
                SCHEMA.recover(&self.db, &Throttle::new()).await.expect("a recover");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn wrong(&self, side: Side) -> Vec<String> {
        let mut wrong = Vec::new();
        for Keeps { children, reference, sum, extreme, parents, names } in KEPT {
            let group = doc! { "$group": {
                "_id": path(reference), "count": { "$sum": 1_i64 }, "sum": { "$sum": path(sum) },
                "least": { "$min": path(extreme) }, "greatest": { "$max": path(extreme) },
            } };
            let are = self.read(side, children, group, ["count", "sum", "least", "greatest"]).await;
            let kept = self.read(side, parents, doc! { "$match": {} }, names).await;
            for (parent, kept) in kept {
                let are = are.get(&parent).copied().unwrap_or([Some(0), Some(0), None, None]);
                if are != kept {
                    wrong.push(format!("{parents} {parent} keeps {kept:?} of {are:?}"));
                }
            }
        }
        wrong
    }

    async fn read(&self, side: Side, collection: &str, stage: Document, names: [&str; 4]) -> Kept {
        let all = self.documents(side, collection).aggregate([stage]).await.expect("a read");
        let all: Vec<Document> = all.try_collect().await.expect("documents");
        let of = |document: &Document| {
            let id = document.get("_id").and_then(number).expect("a number");
            (id, names.map(|name| document.get(name).and_then(number)))
        };
        all.iter().map(of).collect()
    }
}

fn path(field: &str) -> String {
    format!("${field}")
}

fn number(value: &Bson) -> Option<i64> {
    value.as_i64().or_else(|| value.as_i32().map(i64::from))
}
