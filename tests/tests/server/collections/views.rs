//! Views.

use mongodb::bson::doc;
use schema_runtime::{
    Error, Throttle, assert_indexed,
    plan::{Change, Needs},
    prelude::*,
    transaction,
};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[index(state, price)]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    price: i32,
    state: State,
    #[serde(rename = "shownName")]
    name: String,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    note: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
enum State {
    New,
    Sold,
}

#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "cheap", view(of = Product, filter(lt(price, 100), eq(state, "New"))))]
#[query(named(name), one)]
struct Cheap {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "shownName")]
    name: String,
    price: i32,
    #[bound(max_items = 3)]
    tags: Vec<String>,
}

/// A view of a view.
#[derive(Model, Serialize, Deserialize, Debug, PartialEq)]
#[model(collection = "names", view(of = Cheap))]
struct Name {
    #[serde(rename = "_id")]
    id: i64,
    #[serde(rename = "shownName")]
    name: String,
}

async fn stored(db: &Database) {
    let product = |id: i64, price: i32, state| Product {
        id,
        price,
        state,
        name: format!("p{id}"),
        tags: vec!["a".to_owned()],
        note: None,
    };
    let products = [product(1, 5, State::New), product(2, 500, State::New), product(3, 5, State::Sold)];
    Product::insert_many(db, &products).await.expect("inserted");
}

#[tokio::test]
async fn a_view_shows_the_fields_of_the_struct_of_the_documents_that_meet_the_filter() {
    let (db, log) = database_with_log().await;
    let schema = schema![Name, Cheap, Product];
    let plan = planned(schema, &db).await;
    assert!(plan.to_string().contains("cheap (Cheap)\n  + view {viewOn: \"products\", pipeline: ["), "{plan}");
    plan.apply(&db).await.and_then(|report| report.complete()).expect("made");
    assert_eq!(log.named("createIndexes").len(), 1, "a view has no indexes");
    is_settled(schema, &db).await;
    stored(&db).await;

    let cheap = Cheap { id: 1, name: "p1".to_owned(), price: 5, tags: vec!["a".to_owned()] };
    assert_eq!(Cheap::find(Filter::all()).fetch_all(&db).await.expect("read"), [cheap]);
    let raw = db.collection::<Document>("cheap").find_one(doc! {}).await.expect("read").expect("a document");
    assert_eq!(raw, doc! { "_id": 1_i64, "price": 5, "shownName": "p1", "tags": ["a"] });
    assert_eq!(Cheap::get_by_id(&db, &1).await.expect("read").price, 5);
    assert!(matches!(Cheap::get_by_id(&db, &2).await, Err(Error::NotFound { .. })));
    assert!(Cheap::named("p1".to_owned()).fetch_optional(&db).await.expect("read").is_some());
    assert_eq!(Cheap::find(Cheap::F.price.lt(3)).count(&db).await.expect("counted"), 0);
    assert_eq!(Cheap::find(Filter::all()).distinct(&db, Cheap::F.price).await.expect("read"), [5]);
    assert_eq!(Cheap::find(Filter::all()).paginate(2).fetch(&db).await.expect("a page").len(), 1);
    assert_eq!(Name::find(Filter::all()).fetch_all(&db).await.expect("read"), [Name { id: 1, name: "p1".to_owned() }]);
    let read = transaction(&db, |tx| async move { Cheap::find(Filter::all()).count(&tx).await }).await;
    assert_eq!(read.expect("a transaction reads"), 1);
}

#[tokio::test]
async fn a_read_of_a_view_is_explained_with_the_indexes_of_the_source() {
    let db = database().await;
    schema![Cheap, Product].create(&db).await.expect("made");
    stored(&db).await;
    let explained = db
        .run_command(doc! { "explain": { "find": "cheap", "filter": { "price": { "$lt": 50 } } } })
        .await
        .expect("explained");
    assert!(explained.to_string().contains("state_1_price_1"), "{explained}");
    assert_indexed(&Cheap::find(Cheap::F.price.lt(50)), &db).await;
}

#[tokio::test]
async fn another_source_or_another_pipeline_is_changed_in_place() {
    let narrow = |limit: i32| {
        vec![
            doc! { "$match": { "price": { "$lt": limit }, "state": { "$eq": "New" } } },
            doc! { "$project": { "_id": 1, "shownName": 1, "price": 1, "tags": 1 } },
        ]
    };
    let mut swapped = narrow(100);
    swapped.reverse();
    let mut order = narrow(100);
    order[1] = doc! { "$project": { "shownName": 1, "_id": 1, "price": 1, "tags": 1 } };
    for (on, pipeline, changes) in [
        ("products", narrow(100), 0),
        ("others", narrow(100), 1),
        ("products", narrow(99), 1),
        ("products", swapped, 1),
        ("products", order, 1),
        ("products", Vec::new(), 1),
    ] {
        let (db, log) = database_with_log().await;
        schema![Product].create(&db).await.expect("made");
        db.run_command(doc! { "create": "cheap", "viewOn": on, "pipeline": pipeline.clone() }).await.expect("made");
        let schema = schema![Cheap, Product];
        let plan = planned(schema, &db).await;
        assert_eq!(plan.steps().len(), changes, "{pipeline:?}: {plan}");
        assert!(plan.steps().iter().all(|step| step.needs() == Needs::Nothing));
        log.clear();
        plan.apply(&db).await.and_then(|report| report.complete()).expect("done");
        assert_eq!(log.named("collMod").len(), changes);
        is_settled(schema, &db).await;
    }
}

mod circle {
    use super::*;
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "first", view(of = Second))]
    pub(super) struct First {
        #[serde(rename = "_id")]
        id: i64,
    }
    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "second", view(of = First))]
    pub(super) struct Second {
        #[serde(rename = "_id")]
        id: i64,
    }
}

#[tokio::test]
async fn views_that_show_each_other_are_no_plan() {
    let db = database().await;
    let refused = schema![circle::First, circle::Second].plan(&db).await.expect_err("a circle");
    assert!(matches!(refused, Error::DefinitionConflict { .. }), "{refused}");
    assert!(refused.to_string().contains("reads the documents of the same view"), "{refused}");
}

/// A review measures no view, and `verify` reads a view.
#[tokio::test]
async fn the_other_functions_of_a_schema_take_views() {
    let db = database().await;
    let schema = schema![Cheap, Product];
    schema.create(&db).await.expect("made");
    stored(&db).await;
    assert!(schema.verify(&db).await.expect("read").is_clean());
    schema.review_on(&db).await.expect("reviewed");
    schema.recover(&db, &Throttle::new()).await.expect("recovered");
    assert_eq!(steps(&planned(schema, &db).await), Vec::<&Change>::new());
}
