//! `check`: ready, pending changes, queries without an index, and documents that do not fit.

use mongodb::bson::{Document, doc};

use serde_json::Value;

use crate::program::{Program, command, run};

#[tokio::test]
async fn a_check_has_a_code_for_each_result() {
    let program = Program::new().await;
    let ended = program.run(&["check"]).await;
    assert!(ended.with(3).starts_with("plan: "), "{ended:?}");

    program.run(&["apply", "--yes"]).await.with(0);
    let ended = program.run(&["check"]).await;
    let text = ended.with(0);
    assert!(text.starts_with("plan: nothing to change\nqueries: an index serves each declared query\n"), "{text}");
    assert!(text.contains("note: Product::by_name: no document has a value"), "{text}");

    let products = program.db.collection::<Document>("products");
    let product = |id: i32| doc! { "_id": id, "name": "a", "price": 1_i64, "number": i64::from(id) };
    products.insert_many((0..40).map(product)).await.expect("documents");
    assert!(!program.run(&["check"]).await.with(0).contains("note"));

    products.drop_index("name_1_price_-1").await.expect("the index of the query");
    let ended = program.run(&["check"]).await;
    assert!(ended.with(4).contains("queries: 1 query without an index\n  Product::by_name: "), "{ended:?}");
    let (code, json) = program.json(&["check"]).await;
    assert_eq!((code, &json["queries"][0]["query"]), (Some(4), &"by_name".into()), "{json}");
    assert_eq!(json["steps"].as_array().expect("steps").len(), 1);
}

#[tokio::test]
async fn a_check_compares_a_sample_of_the_documents() {
    let program = Program::new().await;
    let products = program.db.collection::<Document>("products");
    let product = |id: i32| doc! { "_id": id, "name": "a", "price": 1_i64, "number": i64::from(id) };
    products.insert_many((0..20).map(product)).await.expect("documents");
    program.run(&["apply", "--yes"]).await.with(0);
    let ended = program.run(&["check", "--fit", "100"]).await;
    assert!(ended.with(0).ends_with("\ndocuments: the sample fits\n"), "{ended:?}");
    assert_eq!(program.json(&["check"]).await.1["unfit"], Value::Null);

    let bypass = || products.insert_many([doc! { "_id": 20, "number": 20_i64 }, doc! { "_id": 21, "number": 21_i64 }]);
    bypass().bypass_document_validation(true).await.expect("documents that do not fit");
    let ended = program.run(&["check", "--fit", "100"]).await;
    let line = "\ndocuments: Product: 2 documents do not pass the validator, of 22 sampled in `products`\n";
    assert!(ended.with(4).ends_with(line), "{ended:?}");
    let (code, json) = program.json(&["check", "--fit", "100"]).await;
    assert_eq!((code, &json["unfit"][0]["refused"]), (Some(4), &2.into()), "{json}");
    assert_eq!(json["unfit"][0]["sampled"], 22);
    let json = program.json(&["check", "--fit", "1"]).await.1;
    assert!(json["unfit"].as_array().is_some_and(|all| all.iter().all(|unfit| unfit["sampled"] == 1)), "{json}");
    program.run(&["check"]).await.with(0);
    run(command(&["check", "--fit", "0"])).await.with(2);
}
