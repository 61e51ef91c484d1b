//! Declared queries are explained with values of stored documents: a query without an index is named.

use mongodb::bson::{Document, doc};
use schema_runtime::{
    QueryFault, QueryProblem, Schema, assert_queries_indexed, check_queries, explain::ReadProblem, prelude::*,
};
use schema_tests::database;

use super::{Article, Author, prepared};

fn schema() -> Schema {
    schema![Article, Author]
}

fn faults(found: Vec<QueryProblem>) -> Vec<(&'static str, QueryFault)> {
    found.into_iter().map(|problem| (problem.query, problem.why)).collect()
}

#[tokio::test]
async fn all_are_served_by_what_apply_creates() {
    let db = database().await;
    prepared(&db).await;
    assert_eq!(check_queries(&schema(), &db).await.unwrap(), []);
    assert_queries_indexed(&schema(), &db).await;
}

#[tokio::test]
async fn an_index_that_is_missing_is_seen_for_each_query_that_it_serves() {
    for (index, expected) in [
        ("slug_1", vec![("by_slug", ReadProblem::CollectionScan)]),
        ("due_1", vec![("due", ReadProblem::CollectionScan)]),
        ("title_1", vec![("titled", ReadProblem::CollectionScan)]),
        ("author_1_publishedAt_-1", vec![("of_author", ReadProblem::BlockingSort)]),
        ("tags_1_publishedAt_-1__id_-1", vec![("tagged", ReadProblem::CollectionScan)]),
        ("address.town_1_stars_1", vec![("written_in", ReadProblem::CollectionScan)]),
    ] {
        let db = database().await;
        prepared(&db).await;
        db.collection::<Document>("articles").drop_index(index).await.unwrap();
        let found = faults(check_queries(&schema(), &db).await.unwrap());
        let names: Vec<&str> = found.iter().map(|(query, _)| *query).collect();
        assert_eq!(names, expected.iter().map(|(query, _)| *query).collect::<Vec<_>>(), "{index}");
        for ((_, fault), (_, problem)) in found.iter().zip(&expected) {
            let QueryFault::Plan(problems) = fault else { panic!("{index}: {fault:?}") };
            assert!(problems.contains(problem), "{index}: {problems:?}");
        }
    }
}

#[tokio::test]
async fn without_documents_nothing_can_be_said() {
    let db = database().await;
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    let found = faults(check_queries(&schema(), &db).await.unwrap());
    assert_eq!(found.len(), Article::DEFINITION.queries.len());
    assert!(found.iter().all(|(_, fault)| *fault == QueryFault::NoDocument), "{found:?}");
    // A document without a value for a condition gives no value for the `explain`.
    let mut article = super::article(4);
    article.due = None;
    Article::insert(&db, &article).await.unwrap();
    let found = check_queries(&schema(), &db).await.unwrap();
    let text = "Article::due: no document has a value for each condition of the query; insert documents as in \
                production first";
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [text]);
}

/// Values of further programs are values too, and no value becomes an operator.
#[tokio::test]
async fn values_of_any_kind_are_asked_for_as_they_are() {
    let db = database().await;
    let articles = db.collection::<Document>("articles");
    let strange = doc! {
        "_id": 1, "slug": { "$gt": "" }, "author": [[1]], "state": { "$where": "1" }, "due": "soon", "title": 7,
        "address": [{ "town": { "$ne": 1 } }], "stars": "many", "tags": { "$exists": true }, "publishedAt": 1,
    };
    // An insert or a replacement cannot store a field that begins with a dollar; a pipeline can.
    let literal = doc! { "$replaceWith": { "$literal": strange } };
    articles.insert_one(doc! { "_id": 1 }).await.unwrap();
    articles.update_one(doc! { "_id": 1 }, vec![literal]).await.unwrap();
    let found = check_queries(&schema(), &db).await.unwrap();
    assert!(found.len() >= 6, "no index was created: {found:?}");
    schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    assert_eq!(check_queries(&schema(), &db).await.unwrap(), []);
}
