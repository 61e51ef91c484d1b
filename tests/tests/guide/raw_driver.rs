//! The driver itself: typed collections, raw filters, raw updates, pipelines, commands.

use schema_runtime::{bson::Document, prelude::*, schema, transaction};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
    qty: i32,
}
// ANCHOR_END: model

// ANCHOR: raw
/// Operators of MongoDB in a read and in an update of this crate.
async fn raw_operators(db: &Database) -> Result<Option<Part>> {
    let few = Filter::raw(doc! { "$expr": { "$lt": ["$qty", { "$strLenCP": "$name" }] } });
    let named = few & Part::F.name.starts_with("b");
    Part::update_many(named.clone()).raw(doc! { "$mul": { "qty": 10 } }).execute(db).await?;
    Part::find(!named).fetch_optional(db).await
}
// ANCHOR_END: raw

// ANCHOR: collection
/// The collection of the driver, with documents of the model.
async fn with_the_driver(db: &Database) -> Result<Vec<String>> {
    let parts = Part::collection(db);
    parts.insert_one(Part { id: 2, name: "nut".to_owned(), qty: 1 }).await?;
    let names = parts.distinct("name", doc! {}).await?;
    Ok(names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}
// ANCHOR_END: collection

// ANCHOR: command
/// A command, and a pipeline that writes.
async fn commands(db: &Database) -> Result<()> {
    let stats = db.run_command(doc! { "collStats": "parts" }).await?;
    assert_eq!(stats.get_i32("count").ok(), Some(2));
    let parts = db.collection::<Document>("parts");
    parts.aggregate([doc! { "$match": { "qty": { "$gt": 1 } } }, doc! { "$out": "many_parts" }]).await?;
    Ok(())
}
// ANCHOR_END: command

// ANCHOR: transaction
/// A command of the driver inside of a transaction: each action gets the session.
async fn archive(db: &Database, id: i32) -> Result<()> {
    transaction(db, |tx| async move {
        Part::delete_by_id(&tx, id).await?;
        tx.run("insert", Some("archive"), move |db, session| {
            Box::pin(async move {
                db.collection::<Document>("archive").insert_one(doc! { "part": id }).session(session).await
            })
        })
        .await?;
        Ok(())
    })
    .await
}
// ANCHOR_END: transaction

#[tokio::test]
async fn the_driver_is_at_hand() -> Result<()> {
    let db = database(&schema![Part]).await;
    Part::insert(&db, &Part { id: 1, name: "bolt".to_owned(), qty: 3 }).await?;
    assert_eq!(raw_operators(&db).await?, Some(Part { id: 1, name: "bolt".to_owned(), qty: 30 }));
    assert_eq!(with_the_driver(&db).await?, ["bolt", "nut"]);
    commands(&db).await?;
    assert_eq!(db.collection::<Document>("many_parts").count_documents(doc! {}).await?, 1);

    archive(&db, 2).await?;
    assert_eq!(Part::find(Filter::all()).count(&db).await?, 1);
    assert_eq!(db.collection::<Document>("archive").count_documents(doc! { "part": 2 }).await?, 1);

    let update = Part::update_many(Part::F.name.starts_with("b")).raw(doc! { "$mul": { "qty": 10 } });
    assert_shown("guides/raw_driver.md", &update.to_mongosh()?);
    Ok(())
}
