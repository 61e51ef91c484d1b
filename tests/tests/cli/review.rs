//! `review` and `explain`: the definitions beside the facts of a server.

use std::fs;

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::rollups::{self, Host, LogMsg};

use crate::program::{Program, command, run};

#[tokio::test]
async fn a_review_needs_a_server_only_for_the_facts_of_the_server() {
    let ended = run(command(&["review"])).await;
    let text = ended.with(0);
    assert!(text.starts_with("Product (`products`)\n") && text.ends_with("Nothing stands out.\n"), "{text}");
    assert!(text.contains("name_1_price_-1"), "{text}");
    assert_eq!(ended.stderr, "");
    run(command(&["review", "--memory", "1000"])).await.with(2);

    let program = Program::new().await;
    program.run(&["apply", "--yes"]).await.with(0);
    program.db.collection::<Document>("orders").insert_one(doc! { "a": 1 }).await.expect("a document");
    let ended = program.run(&["review", "--live", "--memory", "1"]).await;
    let text = ended.with(4);
    assert!(text.contains("Product (`products`): 0 documents of 0 B"), "{text}");
    assert!(text.contains("the collection orders is declared by no model"), "{text}");
    assert!(text.contains("does not fit into 1 B"), "{text}");
}

#[tokio::test]
async fn a_review_as_json_and_as_a_page() {
    let program = Program::new().await;
    program.run(&["apply", "--yes"]).await.with(0);
    program.db.collection::<Document>("orders").insert_one(doc! { "a": 1 }).await.expect("a document");
    let (code, json) = program.json(&["review", "--live"]).await;
    assert_eq!((code, &json["undeclared"][0]), (Some(4), &"orders".into()), "{json}");
    let model = &json["models"][0];
    assert_eq!(model["collection"], "products");
    let read = &model["reads"][0];
    assert_eq!(
        (&read["name"], &read["documents"], &read["index"]),
        (&"by_name".into(), &20.into(), &"name_1_price_-1".into())
    );
    assert_eq!(model["stored"]["documents"], 0);
    assert!(json["notes"].as_array().is_some_and(|notes| !notes.is_empty()), "{json}");

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("review.html");
    let file = file.to_str().expect("UTF-8");
    let ended = program.run(&["review", "--live", "--html", file]).await;
    assert_eq!(ended.with(4), format!("the review is in {file}\n"));
    let page = fs::read_to_string(file).expect("the page");
    assert!(page.contains("<svg") && page.contains("the collection orders is declared by no model"), "{page}");
    assert_eq!(run(command(&["review", "--html", file])).await.with(0), format!("the review is in {file}\n"));
    assert!(!fs::read_to_string(file).expect("the page").contains("orders"));
    run(command(&["review", "--html", "/nowhere/review.html"])).await.with(1);
}

/// A database of another application, with many collections.
#[tokio::test]
async fn many_undeclared_collections_are_a_number() {
    let program = Program::new().await;
    program.run(&["apply", "--yes"]).await.with(0);
    for number in 100..160 {
        program.db.create_collection(format!("other{number}")).await.expect("a collection");
    }
    assert_eq!(program.run(&["plan"]).await.with(0).lines().count(), 1);
    program.run(&["verify"]).await.with(0);
    let ended = program.run(&["review", "--live"]).await;
    let text = ended.with(4);
    assert_eq!(text.matches("is declared by no model").count(), 10, "{text}");
    assert!(text.contains("the collection other109 is declared by no model"), "{text}");
    assert!(text.contains("50 further collections are declared by no model"), "{text}");
    let (_, json) = program.json(&["review", "--live"]).await;
    assert_eq!(json["undeclared"].as_array().map(Vec::len), Some(60), "{json}");
}

#[tokio::test]
async fn an_explained_query_has_the_plan_and_the_verdict() {
    let program = Program::new().await;
    program.run(&["apply", "--yes"]).await.with(0);
    let ended = program.run(&["explain"]).await;
    assert!(ended.with(0).starts_with("Product::by_name: no document has a value"), "{ended:?}");

    let products = program.db.collection::<Document>("products");
    let product = |id: i32| doc! { "_id": id, "name": "a", "price": 1_i64, "number": i64::from(id) };
    products.insert_many((0..40).map(product)).await.expect("documents");
    let explained = "Product::by_name: an index serves the query\n  plan: LIMIT, FETCH, IXSCAN name_1_price_-1\n  \
                     20 keys and 20 documents examined, 20 returned\n";
    for arguments in [&["explain"][..], &["explain", "by_name"], &["explain", "Product::by_name", "by_name"]] {
        assert_eq!(program.run(arguments).await.with(0), explained, "{arguments:?}");
    }

    products.drop_index("name_1_price_-1").await.expect("the index of the query");
    let ended = program.run(&["explain", "by_name"]).await;
    let text = ended.with(4);
    assert!(text.starts_with("Product::by_name: COLLSCAN: ") && text.contains("\n  plan: SORT, COLLSCAN\n"), "{text}");
    let (code, json) = program.json(&["explain"]).await;
    let query = &json["queries"][0];
    assert_eq!((code, &query["documents"], &query["returned"]), (Some(4), &40.into(), &20.into()), "{json}");
    assert!(query["why"].as_str().is_some_and(|why| why.starts_with("COLLSCAN")), "{json}");
}

#[tokio::test]
async fn an_unknown_query_is_wrong_usage() {
    for name in ["by_number", "Part::by_name", "Product::"] {
        let ended = run(command(&["explain", "by_name", name])).await;
        ended.with(2);
        let message =
            format!("error: no model declares the query or relation `{name}`; the declared names: Product::by_name\n");
        assert_eq!(ended.stderr, message);
    }
    let program = Program::new().await;
    let ended = program.run_with("parts", &["explain"]).await;
    assert_eq!(ended.with(0), "no model declares a query or a far side of a relation\n");
}

#[tokio::test]
async fn an_explained_relation_has_the_plan_and_the_verdict() {
    let program = Program::with("rollups").await;
    program.run(&["apply", "--yes"]).await.with(0);
    let ended = program.run(&["explain", "messages"]).await;
    assert!(ended.with(0).starts_with("Host::messages: no document has a value"), "{ended:?}");

    Host::insert(&program.db, &rollups::host(1)).await.expect("a host");
    for number in 1..=40 {
        LogMsg::insert(&program.db, &rollups::message(number, 1)).await.expect("a message");
    }
    let ended = program.run(&["explain", "Host::messages"]).await;
    let text = ended.with(0);
    assert!(
        text.starts_with("Host::messages: an index serves the query\n  plan: LIMIT, FETCH, IXSCAN host_1"),
        "{text}"
    );
    assert!(text.ends_with("40 keys and 40 documents examined, 40 returned\n"), "{text}");
    let messages = program.db.collection::<Document>("logmsg");
    messages.drop_indexes().await.expect("no index");
    let (code, json) = program.json(&["explain", "messages"]).await;
    let relation = &json["relations"][0];
    assert_eq!(
        (code, &json["queries"], &relation["model"]),
        (Some(4), &serde_json::json!([]), &"Host".into()),
        "{json}"
    );
    assert!(relation["why"].as_str().is_some_and(|why| why.starts_with("COLLSCAN")), "{json}");
}
