//! Random samples, and the count by metadata.

use std::collections::BTreeSet;

use mongodb::bson::Document;
use schema_runtime::{bson::Bson, prelude::*};
use schema_tests::{database, database_with_log};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
#[index(qty)]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    qty: i32,
    place: Option<schema_runtime::Point>,
}

#[derive(Projection, Deserialize, Clone, Debug, PartialEq)]
#[projection(of = Part)]
struct Name {
    name: String,
}

/// A shape, stored in one collection with further variants.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: i64,
        radius: i32,
    },
    Square {
        #[serde(rename = "_id")]
        id: i64,
        side: i32,
    },
}

async fn insert_parts(db: &Database, count: i64) {
    let part = |id: i64| Part { id, name: format!("part {id}"), qty: (id % 2) as i32, place: None };
    Part::insert_many(db, (0..count).map(part)).await.unwrap();
}

#[tokio::test]
async fn a_sample_holds_documents_that_match() {
    let (db, log) = database_with_log().await;
    insert_parts(&db, 60).await;
    log.clear();
    let odd = || Part::find(Part::F.qty.eq(1));
    let found = odd().sample(10).fetch_all(&db).await.unwrap();
    assert_eq!(found.len(), 10);
    assert!(found.iter().all(|part| part.qty == 1));
    let sent = log.commands();
    assert_eq!((sent.len(), sent[0].0.as_str()), (1, "aggregate"), "{sent:?}");
    let stages = sent[0].1.get_array("pipeline").unwrap();
    assert_eq!(stages[1], Bson::Document(doc! { "$sample": { "size": 10_i64 } }));

    assert_eq!(odd().sample(1_000).fetch_all(&db).await.unwrap().len(), 30);
    assert_eq!(odd().sample(7).count(&db).await.unwrap(), 7);
    assert!(odd().sample(1).exists(&db).await.unwrap());
    assert!(!Part::find(Part::F.qty.eq(5)).sample(1).exists(&db).await.unwrap());
    let names: Vec<Name> = odd().select::<Name>().sample(3).fetch_all(&db).await.unwrap();
    assert_eq!(names.len(), 3);
    let sorted = odd().sample(9).sort(Part::F.id.desc()).limit(4).fetch_all(&db).await.unwrap();
    assert!(sorted.len() == 4 && sorted.is_sorted_by_key(|part| -part.id), "{sorted:?}");
    assert_eq!(odd().sample(5).distinct(&db, Part::F.qty).await.unwrap(), [1]);

    // Twenty samples of a document are not the same document each time.
    let mut seen = BTreeSet::new();
    for _ in 0..20 {
        seen.insert(odd().sample(1).fetch_one(&db).await.unwrap().id);
    }
    assert!(seen.len() > 1, "{seen:?}");
    let inside = schema_runtime::transaction(&db, |tx| async move { odd().sample(2).fetch_all(&tx).await });
    assert_eq!(inside.await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_sample_that_makes_no_sense_is_refused() {
    let (db, log) = database_with_log().await;
    let all = || Part::find(Filter::all());
    assert!(matches!(all().sample(0).fetch_all(&db).await, Err(Error::Query { .. })));
    assert!(matches!(all().sample(3).paginate(2).fetch(&db).await, Err(Error::Query { .. })));
    let near = Part::F.place.near(schema_runtime::Point::new(1.0, 2.0), 5.0);
    assert!(matches!(Part::find(near.clone()).sample(3).fetch_all(&db).await, Err(Error::Query { .. })));
    assert!(matches!(Part::find(near).sample(3).count(&db).await, Err(Error::Query { .. })));
    assert!(log.commands().is_empty());
}

#[tokio::test]
async fn the_metadata_count_the_documents() {
    let (db, log) = database_with_log().await;
    assert_eq!(Part::estimated_count(&db).await.unwrap(), 0);
    insert_parts(&db, 25).await;
    let shapes = [Shape::Circle { id: 1, radius: 2 }, Shape::Square { id: 2, side: 3 }];
    Shape::insert_many(&db, shapes).await.unwrap();
    log.clear();
    assert_eq!(Part::estimated_count(&db).await.unwrap(), 25);
    assert_eq!(Shape::estimated_count(&db).await.unwrap(), 2);
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["count", "count"]);
    assert!(log.named("count").iter().all(|command| !command.contains_key("query")));
}

#[tokio::test]
async fn a_transaction_has_no_metadata() {
    let db = database().await;
    db.collection::<Document>("parts").insert_one(doc! { "_id": 1_i64 }).await.unwrap();
    let counted = schema_runtime::transaction(&db, |tx| async move { Part::estimated_count(&tx).await }).await;
    assert!(matches!(counted, Err(Error::Query { .. })), "{counted:?}");
}
