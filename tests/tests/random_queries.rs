//! Random models with random declared queries on a real server, each with 20,000 documents: the declared indexes serve
//! every query without a sort, and without any of the indexes some query is worse.
//!
//! `build.rs` writes the models from a seed: `SCHEMA_TESTS_MODELS=7 cargo test -p schema-tests --test random_queries`.

#![allow(clippy::duplicated_attributes, reason = "two queries may have the same words")]

use futures_util::future::BoxFuture;
use mongodb::{
    IndexModel,
    bson::{Bson, Document},
};
use schema_runtime::{
    Result, Schema,
    explain::{ReadProblem, problems},
    prelude::*,
};
use schema_tests::scale;

include!(concat!(env!("OUT_DIR"), "/random_models.rs"));

const DOCUMENTS: i64 = 20_000;

/// The number of documents that give values to the queries.
const SAMPLES: usize = 3;

#[derive(Embed, Serialize, Deserialize, Clone, Debug)]
struct Inner {
    place: i64,
    name: String,
}

trait Random: Model + OwnDocument + Clone {
    fn random(id: i64, rng: &mut fastrand::Rng) -> Self;
    /// Explains every declared query with values of this document.
    fn reads<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Vec<Read>>;
}

/// The values of a document. Each field has few values: a condition on a field narrows the result.
struct Fields {
    few: i32,
    some: i32,
    many: i64,
    maybe: Option<i64>,
    word: String,
    inner: Inner,
    tags: Vec<String>,
    unique: i64,
}

impl Fields {
    fn random(id: i64, rng: &mut fastrand::Rng) -> Self {
        let word = |rng: &mut fastrand::Rng| format!("word {}", rng.u8(0..9));
        Fields {
            few: rng.i32(0..4),
            some: rng.i32(0..7),
            many: rng.i64(0..30),
            maybe: rng.bool().then(|| rng.i64(0..6)),
            word: word(rng),
            inner: Inner { place: rng.i64(0..5), name: word(rng) },
            tags: vec![word(rng), format!("tag {}", rng.u8(0..5))],
            unique: 3 * id,
        }
    }
}

/// The work of the server for a query.
struct Read {
    query: &'static str,
    /// True when the query examines only the returned documents.
    is_exact: bool,
    /// True when the query asks for the unique field.
    finds_one: bool,
    explained: Document,
    /// The explained query without its limit.
    whole: Document,
}

impl Read {
    fn new(
        query: &'static str,
        [is_exact, finds_one]: [bool; 2],
        explained: Result<Document>,
        whole: Result<Document>,
    ) -> Self {
        Read { query, is_exact, finds_one, explained: explained.expect("a plan"), whole: whole.expect("a plan") }
    }

    fn problems(&self) -> Vec<ReadProblem> {
        problems(&self.explained)
    }

    /// Returns the cost of all matches: true for a collection scan or a sort, and the number of examined keys and
    /// documents.
    fn cost(&self) -> (bool, i64) {
        let is_bad = |problem: &ReadProblem| matches!(problem, ReadProblem::CollectionScan | ReadProblem::BlockingSort);
        let counts = self.whole.get_document("executionStats").expect("counts");
        let number = |name: &str| match counts.get(name) {
            Some(Bson::Int32(number)) => i64::from(*number),
            Some(Bson::Int64(number)) => *number,
            other => panic!("{name}: {other:?}"),
        };
        (problems(&self.whole).iter().any(is_bad), number("totalKeysExamined") + number("totalDocsExamined"))
    }
}

fn check<M: Random>(db: &Database, number: u64) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let mut rng = fastrand::Rng::with_seed(SEED + number);
        let all: Vec<M> = (0..DOCUMENTS).map(|id| M::random(id, &mut rng)).collect();
        for some in all.chunks(2_000) {
            M::collection(db).insert_many(some).await.expect("they fit");
        }
        let samples: Vec<&M> = (0..SAMPLES).map(|_| &all[rng.usize(0..all.len())]).collect();
        let model = M::DEFINITION.model;
        let before = costs(&samples, db).await;
        for read in before.iter().flatten() {
            let mut found = read.problems();
            found.retain(|problem| match problem {
                ReadProblem::Examined { .. } => read.is_exact,
                // A single document is in any order.
                ReadProblem::BlockingSort => !read.finds_one,
                _ => true,
            });
            assert_eq!(found, [], "seed {SEED}: {model}::{}: {}", read.query, read.explained);
        }
        let collection = M::collection(db);
        for name in collection.list_index_names().await.expect("the indexes") {
            if ["_id_", "unique_1"].contains(&name.as_str()) {
                continue;
            }
            let dropped = index(&collection, &name).await;
            collection.drop_index(&name).await.expect("it is there");
            let after = costs(&samples, db).await;
            let mut pairs = before.iter().flatten().zip(after.iter().flatten());
            assert!(
                pairs.any(|(before, after)| after.cost() > before.cost()),
                "seed {SEED}: no query of {model} is worse without {name}"
            );
            collection.create_index(dropped).await.expect("it is created again");
        }
    })
}

async fn costs<M: Random>(samples: &[&M], db: &Database) -> Vec<Vec<Read>> {
    let mut all = Vec::new();
    for sample in samples {
        all.push(sample.reads(db).await);
    }
    all
}

async fn index<M: Model>(collection: &mongodb::Collection<M>, name: &str) -> IndexModel {
    let mut indexes = collection.list_indexes().await.expect("the indexes");
    while indexes.advance().await.expect("the next") {
        let index = indexes.deserialize_current().expect("an index");
        if index.options.as_ref().and_then(|options| options.name.as_deref()) == Some(name) {
            return index;
        }
    }
    panic!("no index {name}");
}

#[tokio::test]
async fn the_indexes_of_random_queries_serve_them_and_none_is_too_many() {
    println!("SCHEMA_TESTS_MODELS={SEED}");
    let db = schema_tests::database().await;
    schema().plan(&db).await.expect("a plan").apply(&db).await.expect("applied").complete().expect("complete");
    for model in schema().review().models {
        let without: Vec<_> = model.reads.iter().filter(|read| read.index.is_none()).collect();
        assert!(without.is_empty(), "seed {SEED}: {without:?}");
    }
    for check in checks(&db).into_iter().take(scale::RANDOM_MODELS.now() as usize) {
        check.await;
    }
}
