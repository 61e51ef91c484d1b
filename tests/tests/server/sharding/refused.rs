//! Keys that a cluster refuses: the plan reports the reason when possible, and otherwise the error has the server's
//! message. No refused key leaves a half-done step.

use mongodb::{
    IndexModel,
    bson::{Document, doc},
    options::IndexOptions,
};
use schema_runtime::{
    Error, ShardingError,
    apply::{ApplyOptions, Outcome},
    plan::Needs,
    prelude::*,
    schema,
};

use super::plan::new_database;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parcels")]
#[shard_key(route, number, distinct(route = 50_000))]
struct Parcel {
    #[serde(rename = "_id")]
    id: i64,
    route: i64,
    number: i64,
}

/// A unique index of another program that does not begin with the key.
#[tokio::test]
async fn a_unique_index_in_the_way() {
    let db = new_database().await;
    let unique = IndexOptions::builder().unique(true).name("by_label".to_owned()).build();
    let index = IndexModel::builder().keys(doc! { "label": 1 }).options(unique).build();
    db.collection::<Document>("parcels").create_index(index).await.unwrap();
    let schema = schema![Parcel];
    let plan = schema.plan(&db).await.unwrap();
    let text = plan.to_string();
    assert!(text.contains("+ shard key {route: 1, number: 1} (change the definition or the database)\n"), "{text}");
    assert!(
        text.contains(
            "      the unique index by_label does not begin with the shard key: the server would refuse the key; drop \
             the index, and plan again\n"
        ),
        "{text}"
    );
    let step = plan.steps().iter().find(|step| step.needs() == Needs::Decision);
    assert!(step.is_some(), "{text}");
    plan.apply_with(&db, ApplyOptions::new().reshard(true)).await.unwrap();
    let plan = schema.plan(&db).await.unwrap();
    assert!(plan.to_string().contains("the unique index by_label"), "{plan}");
    // After the drop of the index, the key is accepted.
    plan.apply_with(&db, ApplyOptions::new().drop_undeclared(true)).await.unwrap();
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    assert!(schema.plan(&db).await.unwrap().is_empty());
}

/// An array in a field of the key: the count reports the array, and the plan tries nothing.
#[tokio::test]
async fn an_array_in_the_key() {
    let db = new_database().await;
    let parcels = db.collection::<Document>("parcels");
    let with_array = doc! { "_id": 1, "route": [1, 2], "number": 1 };
    parcels.insert_one(with_array.clone()).await.unwrap();
    let schema = schema![Parcel];
    let plan = schema.plan(&db).await.unwrap();
    let text = plan.to_string();
    assert!(text.contains("+ shard key {route: 1, number: 1} (change the definition or the database)\n"), "{text}");
    let said = "1 document has an array in the shard key: the server would refuse the key and the index of the key; \
                remove the arrays, drop the index, and plan again";
    assert!(text.contains(said), "{text}");
    plan.apply(&db).await.unwrap();
    // For the server, an index with a former array stays an index of arrays.
    parcels.delete_many(doc! {}).await.unwrap();
    parcels.drop_index("route_1_number_1").await.unwrap();
    let plan = schema.plan(&db).await.unwrap();
    // The array comes back between the plan and its apply.
    parcels.insert_one(with_array).bypass_document_validation(true).await.unwrap();
    let report = plan.apply(&db).await.unwrap();
    let failed = report.entries().iter().find_map(|entry| match &entry.outcome {
        Outcome::Failed(error @ Error::Sharding(ShardingError::Refused { .. })) => Some(error.to_string()),
        _ => None,
    });
    let failed = failed.expect("the server refuses");
    assert!(failed.starts_with("`shardCollection` of `parcels` was refused: couldn't find valid index"), "{failed}");
    assert!(failed.ends_with("; a new plan lists the obstacles"), "{failed}");
}

/// Between a plan and its apply, another client shards the collection by another key.
#[tokio::test]
async fn sharded_by_somebody_else_meanwhile() {
    let db = new_database().await;
    db.create_collection("parcels").await.unwrap();
    let schema = schema![Parcel];
    let plan = schema.plan(&db).await.unwrap();
    let command = doc! { "shardCollection": format!("{}.parcels", db.name()), "key": { "number": 1 } };
    db.client().database("admin").run_command(command).await.unwrap();
    let report = plan.apply(&db).await.unwrap();
    let is_outdated = |outcome: &Outcome| matches!(outcome, Outcome::Failed(Error::PlanOutdated { what, .. }) if what == "the shard key has changed");
    assert!(report.entries().iter().any(|step| is_outdated(&step.outcome)), "{report}");
    let plan = schema.plan(&db).await.unwrap();
    assert!(plan.to_string().contains("~ shard key {number: 1} becomes {route: 1, number: 1}"), "{plan}");
}
