//! The `explain` of declared queries that ask for null, for example for documents that are not deleted, uses null.

use mongodb::bson::Document;
use schema_runtime::{QueryFault, QueryProblem, check_queries, prelude::*};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "notes")]
#[query(newest(deleted_at, author), order = desc(written), limit = 10)]
#[query(in_states(is_in(state), author))]
#[query(due(between(due)))]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    author: i64,
    #[serde(rename = "deletedAt")]
    deleted_at: Option<DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    due: Option<i64>,
    written: i64,
}

fn note(id: i64) -> Note {
    Note { id, author: id % 4, deleted_at: None, state: None, due: None, written: id }
}

#[tokio::test]
async fn null_is_a_value_of_an_option_that_is_compared() {
    let db = database().await;
    let schema = schema![Note];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Note::insert_many(&db, (0..60).map(note).collect::<Vec<_>>()).await.unwrap();
    // A range does not contain null.
    let no_document = |query| (query, QueryFault::NoDocument);
    let found = |problems: Vec<QueryProblem>| problems.into_iter().map(|it| (it.query, it.why)).collect::<Vec<_>>();
    assert_eq!(found(check_queries(&schema, &db).await.unwrap()), [no_document("due")]);
    db.collection::<Document>("notes").drop_index("deletedAt_1_author_1_written_-1").await.unwrap();
    let problems = found(check_queries(&schema, &db).await.unwrap());
    assert_eq!(problems[0].0, "newest");
    assert!(matches!(problems[0].1, QueryFault::Plan(_)), "{problems:?}");
    // Without a document, the check has no author to ask for.
    let empty = database().await;
    schema.plan(&empty).await.unwrap().apply(&empty).await.unwrap().complete().unwrap();
    assert_eq!(check_queries(&schema, &empty).await.unwrap().len(), 3);
}
