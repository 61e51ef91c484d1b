//! Random models with random keys and indexes. The rules and a plan judge each model, and a real shard judges the key:
//! the shard accepts every accepted key, and the rules refuse every key that the shard refuses.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mongodb::{
    IndexModel,
    bson::{Bson, Document, doc},
    options::IndexOptions,
};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{select, subsequence},
    strategy::ValueTree,
    test_runner::{Config, TestRng, TestRunner},
};
use schema_runtime::{
    __private::judge_shard_key,
    Schema,
    definition::{
        Allow, FieldDefinition, IndexDefinition, IndexKey, Kind, ModelDefinition, Scalar, Shape, ShardKeyDefinition,
        ShardKeyField,
    },
    plan::{Change, Needs},
    prelude::*,
};
use schema_tests::scale;

use super::plan::new_database;

/// The fields of a model, each of another type.
const FIELDS: [&str; 7] = ["_id", "number", "text", "date", "tags", "price", "maybe"];
const PATHS: [&[&str]; 7] = [&["_id"], &["number"], &["text"], &["date"], &["tags"], &["price"], &["maybe"]];

fn field(at: usize) -> FieldDefinition {
    static ITEMS: Shape = Shape::new(Kind::String { max_len: Some(10) });
    let shape = match at {
        0 => Shape::scalar(Scalar::ObjectId),
        1 => Shape::scalar(Scalar::Integer),
        2 => Shape::new(Kind::String { max_len: Some(10) }),
        3 => Shape::scalar(Scalar::DateTime),
        4 => Shape::new(Kind::Array { items: &ITEMS, min: 0, max: Some(5) }),
        5 => Shape::scalar(Scalar::Double),
        _ => Shape::scalar(Scalar::Integer).nullable(),
    };
    FieldDefinition::new(FIELDS[at], FIELDS[at], shape)
}

fn document(id: i64) -> Document {
    doc! {
        "_id": mongodb::bson::oid::ObjectId::new(), "number": id, "text": format!("t{id}"), "date": mongodb::bson::DateTime::from_millis(id),
        "tags": ["a", "b"], "price": id as f64 + 0.5, "maybe": Bson::Null,
    }
}

/// A model: the fields of its key, the hashed field if any, the fields of unique indexes.
#[derive(Clone, Debug)]
struct Case {
    key: Vec<usize>,
    hashed: Option<usize>,
    unique: Vec<Vec<usize>>,
    documents: usize,
}

fn cases() -> impl Strategy<Value = Case> {
    let key =
        (1_usize..=3).prop_flat_map(|count| subsequence((0..FIELDS.len()).collect::<Vec<_>>(), count).prop_shuffle());
    // An array in each document: most keys beside a unique index of the array are refused for the array alone.
    let fields = select(vec![vec![0], vec![1], vec![2], vec![1, 2], vec![2, 1], vec![3], vec![1, 3, 2], vec![0, 1]]);
    (key, proptest::option::weighted(0.4, 0_usize..3), vec(fields, 0..=1), 0_usize..=3)
        .prop_map(|(key, hashed, unique, documents)| Case { key, hashed, unique, documents })
}

/// Returns the definition as a derive makes the definition. The definition lives as long as the process.
fn model(case: &Case, collection: &str) -> &'static ModelDefinition {
    let fields: Vec<FieldDefinition> = (0..FIELDS.len()).map(field).collect();
    let key: Vec<ShardKeyField> = case
        .key
        .iter()
        .enumerate()
        .map(|(at, field)| {
            let of = ShardKeyField::new(PATHS[*field]);
            if case.hashed == Some(at) { of.hashed() } else { of.distinct(1_000_000) }
        })
        .collect();
    // Rules that a server does not judge.
    const ALLOWS: &[Allow] =
        &[Allow::new("shard_key_monotonic", "any"), Allow::new("shard_key_low_cardinality", "any")];
    let key = Box::leak(Box::new(ShardKeyDefinition::new(key.leak()).allows(ALLOWS)));
    let keys = case.key.iter().enumerate().map(|(at, field)| match case.hashed == Some(at) {
        true => IndexKey::hashed(PATHS[*field]),
        false => IndexKey::asc(PATHS[*field]),
    });
    let index = IndexDefinition::new(keys.collect::<Vec<_>>().leak()).for_shard_key();
    let unique = case.unique.iter().map(|fields| {
        let keys: Vec<IndexKey> = fields.iter().map(|field| IndexKey::asc(PATHS[*field])).collect();
        IndexDefinition::new(keys.leak()).unique()
    });
    let is_id = case.key == [0] && case.hashed != Some(0);
    let indexes: Vec<IndexDefinition> = unique.chain((!is_id).then_some(index)).collect();
    let definition = ModelDefinition {
        fields: fields.leak(),
        shard_key: Some(key),
        all_indexes: indexes.leak(),
        collection: collection.to_owned().leak(),
        whole: true,
        bucket: None,
        document: None,
        ..ModelDefinition::broken("Random")
    };
    Box::leak(Box::new(definition))
}

/// Returns whether the compiler accepts the model: the rules that need types, and the two rules of the derive that a
/// server judges as well.
fn compiles(case: &Case, model: &'static ModelDefinition) -> bool {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let judged = catch_unwind(AssertUnwindSafe(|| judge_shard_key(model)));
    std::panic::set_hook(hook);
    let begins =
        |fields: &Vec<usize>| case.hashed.is_none_or(|at| at >= case.key.len()) && fields.starts_with(&case.key);
    judged.is_ok() && case.unique.iter().all(begins)
}

/// Returns whether the shard accepts the key alone, with the stored indexes and documents.
async fn is_sharded(db: &Database, case: &Case, name: &str) -> bool {
    let collection = db.collection::<Document>(name);
    db.create_collection(name).await.unwrap();
    for fields in &case.unique {
        let keys: Document = fields.iter().map(|field| (FIELDS[*field].to_owned(), Bson::Int32(1))).collect();
        if keys.len() == 1 && keys.contains_key("_id") {
            continue;
        }
        let unique = IndexOptions::builder().unique(true).build();
        collection.create_index(IndexModel::builder().keys(keys).options(unique).build()).await.unwrap();
    }
    if case.documents > 0 {
        collection.insert_many((0..case.documents as i64).map(document)).await.unwrap();
    }
    let key: Document = case
        .key
        .iter()
        .enumerate()
        .map(|(at, field)| {
            let kind = if case.hashed == Some(at) { Bson::from("hashed") } else { Bson::Int32(1) };
            (FIELDS[*field].to_owned(), kind)
        })
        .collect();
    // A failed index build is a refusal too.
    let is_there = case.unique.contains(&case.key) && key.values().all(|kind| *kind == Bson::Int32(1));
    if !is_there && collection.create_index(IndexModel::builder().keys(key.clone()).build()).await.is_err() {
        return false;
    }
    let command = doc! { "shardCollection": format!("{}.{name}", db.name()), "key": key };
    db.client().database("admin").run_command(command).await.is_ok()
}

#[tokio::test]
async fn what_the_rules_accept_a_shard_takes() {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(Default::default()));
    let (mut accepted, mut refused_by_both, mut stricter) = (0, 0, 0);
    let db = new_database().await;
    for number in 0..scale::SHARD_KEYS.now() {
        let case = cases().new_tree(&mut runner).unwrap().current();
        // A collection that is dropped past a router stays sharded for the cluster: each case has a separate
        // collection.
        let model = model(&case, &format!("planned_{number}"));
        let schema = Schema::new(Box::leak(Box::new([model])));
        let takes = is_sharded(&db, &case, &format!("raw_{number}")).await;
        if !compiles(&case, model) {
            *(if takes { &mut stricter } else { &mut refused_by_both }) += 1;
            continue;
        }
        assert!(takes, "the shard refuses what the rules accept: {case:?}");
        // The complete way, by a plan.
        let plan = schema.plan(&db).await.unwrap();
        let step = plan.steps().iter().find(|step| matches!(step.change, Change::Shard(_)));
        assert_eq!(step.map(|step| step.needs()), Some(Needs::Nothing), "{case:?}\n{plan}");
        plan.apply(&db).await.unwrap().complete().unwrap_or_else(|error| panic!("{case:?}: {error}"));
        assert!(schema.plan(&db).await.unwrap().is_empty(), "{case:?}");
        accepted += 1;
    }
    println!(
        "{accepted} accepted and sharded, {refused_by_both} refused by both, {stricter} refused by the rules alone"
    );
    assert!(accepted > 5 && refused_by_both > 5 && stricter > 5, "{accepted}, {refused_by_both}, {stricter}");
}
