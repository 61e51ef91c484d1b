use mongodb::bson::{Bson, doc};

use super::*;
use crate::{
    error::Error,
    manage::plan::count::{duplicates_pipeline, unwinds},
};

fn wanted(model: &'static ModelDefinition) -> Vec<Index> {
    wanted_indexes(model).expect("the definitions agree")
}

#[test]
fn keys_are_stored_paths_and_names_are_the_drivers() {
    static MODEL: ModelDefinition = model(&[
        IndexDefinition::new(&[NAME, QTY_DESC]),
        IndexDefinition::new(&[IndexKey::hashed(&["seen_at"])]),
        IndexDefinition::new(&[IndexKey::sphere(&["parts", "part_no"])]).named("where"),
    ]);
    let found: Vec<_> = wanted(&MODEL).into_iter().map(|index| (index.name, index.keys)).collect();
    assert_eq!(
        found,
        [
            ("name_1_qty_-1".to_owned(), doc! { "name": 1, "qty": -1 }),
            ("seenAt_hashed".to_owned(), doc! { "seenAt": "hashed" }),
            ("where".to_owned(), doc! { "parts.partNo": "2dsphere" }),
        ]
    );
}

#[test]
fn nulls_are_left_out_of_a_unique_index_unless_the_user_says_how() {
    const CLAUSE: PartialClause =
        PartialClause { path: &["qty"], operator: PartialOperator::Gt, value: Literal::Integer(0) };
    static MODEL: ModelDefinition = model(&[
        IndexDefinition::new(&[NAME, EMAIL]).unique(),
        IndexDefinition::new(&[EMAIL]).unique().partial(&[CLAUSE]).named("own"),
        IndexDefinition::new(&[IndexKey::asc(&["nick"])]).unique().sparse(),
        IndexDefinition::new(&[EMAIL, NAME]),
        IndexDefinition::new(&[NAME]).unique(),
    ]);
    let filters: Vec<_> = wanted(&MODEL).into_iter().map(|index| index.partial).collect();
    let guard = doc! { "email": { "$gte": "" } };
    assert_eq!(filters, [Some(guard), Some(doc! { "qty": { "$gt": 0_i64 } }), None, None, None]);
}

#[test]
fn clauses_over_one_path_come_together() {
    const fn clause(operator: PartialOperator, value: i64) -> PartialClause {
        PartialClause { path: &["qty"], operator, value: Literal::Integer(value) }
    }
    static MODEL: ModelDefinition = model(&[IndexDefinition::new(&[NAME]).partial(&[
        clause(PartialOperator::Gte, 1),
        clause(PartialOperator::Lt, 9),
        clause(PartialOperator::Gte, 2),
        clause(PartialOperator::Lt, 8),
        PartialClause { path: &["email"], operator: PartialOperator::Exists, value: Literal::Bool(true) },
    ])]);
    let expected = doc! {
        "qty": { "$gte": 1_i64, "$lt": 9_i64 },
        "$and": [{ "qty": { "$gte": 2_i64 } }, { "qty": { "$lt": 8_i64 } }],
        "email": { "$gte": "" },
    };
    assert_eq!(wanted(&MODEL)[0].partial, Some(expected));
}

#[test]
fn what_exists_is_what_is_not_null() {
    const fn exists(path: &'static [&'static str]) -> PartialClause {
        PartialClause { path, operator: PartialOperator::Exists, value: Literal::Bool(true) }
    }
    static MODEL: ModelDefinition =
        model(&[IndexDefinition::new(&[NAME]).partial(&[exists(&["qty"]), exists(&["email"]), exists(&["nick"])])]);
    let expected = doc! { "qty": { "$exists": true }, "email": { "$gte": "" }, "nick": { "$exists": true } };
    assert_eq!(wanted(&MODEL)[0].partial, Some(expected), "of an `Option` that serde writes as null");
}

#[test]
fn one_structure_is_wanted_once_and_the_id_never() {
    static MODEL: ModelDefinition = model(&[
        IndexDefinition::new(&[NAME]),
        IndexDefinition::new(&[NAME]).named("again"),
        IndexDefinition::new(&[IndexKey::asc(&["id"])]),
    ]);
    let names: Vec<_> = wanted(&MODEL).into_iter().map(|index| index.name).collect();
    assert_eq!(names, ["name_1"]);
}

#[test]
fn definitions_that_cannot_be_together_are_refused() {
    static ONE_NAME: ModelDefinition =
        model(&[IndexDefinition::new(&[NAME]).named("a"), IndexDefinition::new(&[EMAIL]).named("a")]);
    static TTL_ONLY: ModelDefinition = model(&[
        IndexDefinition::new(&[SEEN_AT]).expire_after_seconds(5),
        IndexDefinition::new(&[SEEN_AT]).named("plain"),
    ]);
    for (model, word) in [(&ONE_NAME, "name `a`"), (&TTL_ONLY, "`ttl` only")] {
        let Err(Error::DefinitionConflict { collection, message }) = wanted_indexes(model) else {
            panic!("the indexes do not agree")
        };
        assert_eq!(collection, "things");
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn two_models_may_not_have_one_collection() {
    static FIRST: ModelDefinition = model(&[]);
    static SECOND: ModelDefinition = ModelDefinition { name: "tests::Other", ..model(&[]) };
    let Err(Error::DefinitionConflict { message, .. }) = one_collection_each(&[&FIRST, &SECOND]) else {
        panic!("both models have the collection")
    };
    assert!(message.contains("tests::Thing") && message.contains("tests::Other"), "{message}");
}

#[test]
fn duplicates_are_looked_for_as_the_index_would_hold_them() {
    static MODEL: ModelDefinition = model(&[
        IndexDefinition::new(&[IndexKey::asc(&["parts", "part_no"]), IndexKey::asc(&["parts", "price"])]).unique(),
        IndexDefinition::new(&[IndexKey::asc(&["nick"])]).unique().sparse(),
    ]);
    let indexes = wanted(&MODEL);
    let arrays = unwinds(&MODEL, &indexes[0]);
    assert_eq!(arrays, ["parts"], "one array, once");
    let pipeline = duplicates_pipeline(&indexes[0], &arrays);
    assert_eq!(pipeline[0], doc! { "$unwind": { "path": "$parts", "preserveNullAndEmptyArrays": true } });
    let keys = doc! {
        "k0": { "$ifNull": ["$parts.partNo", Bson::Null] },
        "k1": { "$ifNull": ["$parts.price", Bson::Null] },
    };
    assert_eq!(pipeline[1], doc! { "$group": { "_id": { "document": "$_id", "keys": keys } } });
    let sparse = duplicates_pipeline(&indexes[1], &[]);
    assert_eq!(sparse[0], doc! { "$match": { "$or": [{ "nick": { "$exists": true } }] } });
}
