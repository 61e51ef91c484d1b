//! Options of writes.

use std::time::Duration;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{Acknowledgment, WriteConcern},
};
use schema_runtime::{Error, OperationOptions, prelude::*, transaction};
use schema_tests::{CommandLog, database_with_log};

use super::{Part, names, part, parts, without_case};

/// A parent with a count.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[computed(count(Product::maker))]
    products: i64,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    maker: Ref<Maker>,
}

async fn parts_with_log() -> (Database, CommandLog) {
    let (db, log) = database_with_log().await;
    schema![Part].plan(&db).await.unwrap().apply(&db).await.unwrap();
    for (id, name) in [(1, "bolt"), (2, "Bolt"), (3, "nut")] {
        Part::insert(&db, &part(id, name)).await.unwrap();
    }
    log.clear();
    (db, log)
}

/// Returns the statement of a command: the element of the list, or the command itself.
fn statement(command: &Document) -> Document {
    let list = command.get_array("updates").or(command.get_array("deletes"));
    list.map_or_else(|_| command.clone(), |list| list[0].as_document().unwrap().clone())
}

fn options() -> OperationOptions {
    OperationOptions::new()
        .hint("by_name")
        .collation(without_case())
        .comment("options")
        .write_concern(WriteConcern::builder().w(Acknowledgment::Nodes(1)).journal(true).build())
}

#[tokio::test]
async fn updates_and_deletes_of_a_filter_have_all_options() {
    let (db, log) = parts_with_log().await;
    let filter = || Part::F.name.eq("BOLT");
    let all = Part::update_many(filter()).inc(Part::F.qty, 1).options(&options()).execute(&db).await.unwrap();
    assert_eq!(all.matched, 2);
    let one = Part::update_one(filter()).inc(Part::F.qty, 1).options(&options()).execute(&db).await.unwrap();
    assert_eq!(one.matched, 1);
    let options = options().max_time(Duration::from_secs(30));
    let found = Part::find_one_and_update(filter()).inc(Part::F.qty, 1).options(&options).fetch_after(&db).await;
    assert!(found.unwrap().is_some());
    let configured = db.with(options);
    assert!(Part::delete_one(&configured, filter()).await.unwrap());
    assert_eq!(Part::delete_many(&configured, filter()).await.unwrap(), 1);
    let commands = log.commands();
    assert_eq!(names(&commands), ["update", "update", "findAndModify", "delete", "delete"]);
    for (_, command) in &commands {
        let statement = statement(command);
        assert_eq!(statement.get_str("hint").ok(), Some("by_name"), "{command}");
        assert_eq!(statement.get_document("collation").unwrap().get_str("locale").ok(), Some("en"), "{command}");
        assert_eq!(command.get_str("comment").ok(), Some("options"), "{command}");
        assert_eq!(command.get_document("writeConcern").ok(), Some(&doc! { "w": 1, "j": true }), "{command}");
    }
    assert!(commands[2].1.contains_key("maxTimeMS"));
}

#[tokio::test]
async fn writes_of_one_document_have_the_comment_and_the_write_concern() {
    let (db, log) = parts_with_log().await;
    let db = db.with(OperationOptions::new().comment(7).write_concern(WriteConcern::builder().journal(true).build()));
    Part::insert(&db, &part(4, "washer")).await.unwrap();
    Part::insert_many(&db, [part(5, "screw"), part(6, "nail")]).await.unwrap();
    Part::replace(&db, &part(4, "ring")).await.unwrap();
    Part::upsert(&db, &part(7, "hook")).await.unwrap();
    Part::update_by_id(4).set(Part::F.qty, 9).execute(&db).await.unwrap();
    Part::update_by_id(4).push(Part::F.tags, "steel").execute(&db).await.unwrap();
    Part::delete_by_id(&db, 4).await.unwrap();
    let bulk = Part::bulk().insert(&part(8, "clip")).update(Part::update_by_id(8).inc(Part::F.qty, 1)).delete_by_id(8);
    bulk.execute(&db).await.unwrap().complete().unwrap();
    let commands = log.commands();
    let expected =
        ["insert", "insert", "update", "update", "insert", "update", "update", "delete", "insert", "update", "delete"];
    assert_eq!(names(&commands), expected);
    for (name, command) in &commands {
        assert_eq!(command.get("comment"), Some(&Bson::Int32(7)), "{name}");
        assert_eq!(command.get_document("writeConcern").ok(), Some(&doc! { "j": true }), "{name}");
    }
}

#[tokio::test]
async fn a_bulk_has_options_of_its_own() {
    let (db, log) = parts_with_log().await;
    let bulk = || Part::bulk().update(Part::update_by_id(1).inc(Part::F.qty, 1)).delete_by_id(2);
    bulk().comment("bulk").max_time(Duration::from_secs(20)).execute(&db).await.unwrap().complete().unwrap();
    let commands = log.commands();
    assert_eq!(names(&commands), ["update", "delete"]);
    for (_, command) in &commands {
        assert_eq!(command.get_str("comment").ok(), Some("bulk"));
        assert_eq!(command.get_i64("maxTimeMS").ok(), Some(20_000));
    }
    for bulk in [bulk().hint("by_name"), bulk().collation(without_case())] {
        let refused = bulk.execute(&db).await;
        assert!(matches!(refused, Err(Error::Update { .. })), "{refused:?}");
    }
    let part = Part::bulk().update(Part::update_by_id(1).inc(Part::F.qty, 1).comment("part"));
    let refused = part.execute(&db).await;
    assert!(matches!(refused, Err(Error::Bulk { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_write_without_an_answer_is_refused() {
    let (db, log) = parts_with_log().await;
    let silent = db.with(OperationOptions::new().write_concern(WriteConcern::nodes(0)));
    let refused = Part::insert(&silent, &part(4, "washer")).await;
    assert!(matches!(refused, Err(Error::Query { .. })), "{refused:?}");
    assert!(log.commands().is_empty());
}

#[tokio::test]
async fn an_update_that_reads_by_its_filter_takes_no_collation() {
    let (db, log) = parts_with_log().await;
    let filter = || Part::F.name.eq("BOLT");
    let refused = Part::update_many(filter())
        .push(Part::F.tags, "steel")
        .collation(without_case())
        .execute(&db)
        .await
        .unwrap_err();
    assert!(matches!(refused, Error::Update { .. }), "{refused:?}");
    let refused = Part::update_by_id(1).only_if(filter()).set(Part::F.qty, 1).collation(without_case()).execute(&db);
    assert!(matches!(refused.await, Err(Error::Update { .. })));
    assert!(log.commands().is_empty());
    Part::update_many(filter()).push(Part::F.tags, "steel").hint("qty_1_name_1").execute(&db).await.unwrap();
    assert_eq!(statement(&log.named("update")[0]).get_str("hint").ok(), Some("qty_1_name_1"));
    assert!(log.named("find").iter().all(|find| !find.contains_key("hint")));
}

/// The commands of effects have the comment, and a majority instead of the caller's write concern.
#[tokio::test]
async fn effects_have_the_comment_and_a_majority() {
    let (db, log) = database_with_log().await;
    schema![Maker, Product].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let maker = Maker { id: 1, name: "Acme".to_owned(), products: 0 };
    Maker::insert(&db, &maker).await.unwrap();
    log.clear();
    let one = WriteConcern::builder().w(Acknowledgment::Nodes(1)).build();
    let configured = db.with(OperationOptions::new().comment("effects").write_concern(one));
    Product::insert(&configured, &Product { id: 1, maker: Ref::new(1) }).await.unwrap();
    Product::delete_by_id(&configured, 1).await.unwrap();
    let commands: Vec<_> = log.commands().into_iter().filter(|(name, _)| name != "commitTransaction").collect();
    assert_eq!(names(&commands), ["insert", "update", "findAndModify", "update"]);
    let comments = parts(&commands, "comment");
    assert!(comments.iter().all(|(_, comment)| *comment == Some("effects".into())), "{comments:?}");
    for (name, command) in log.commands() {
        let concern = command.get_document("writeConcern").ok();
        assert!(concern.is_none_or(|concern| concern.get_str("w").ok() == Some("majority")), "{name}: {concern:?}");
    }
    for options in [OperationOptions::new().hint("_id_"), OperationOptions::new().collation(without_case())] {
        let db = db.with(options.clone());
        let refused = Product::delete_many(&db, Filter::all()).await;
        assert!(matches!(refused, Err(Error::Update { .. })), "{refused:?}");
        let refused = Product::update_by_id(1).set(Product::F.maker, 1).options(&options).execute(&db).await;
        assert!(matches!(refused, Err(Error::Update { .. })), "{refused:?}");
    }
}

#[tokio::test]
async fn a_write_in_a_transaction_has_the_comment() {
    let (db, log) = parts_with_log().await;
    let ran = transaction(&db, async |tx| {
        let tx = tx.with(OperationOptions::new().comment("tx"));
        Part::insert(&tx, &part(4, "washer")).await?;
        Part::update_many(Part::F.name.eq("BOLT")).inc(Part::F.qty, 1).collation(without_case()).execute(&tx).await
    });
    assert_eq!(ran.await.unwrap().matched, 2);
    let commands = log.commands();
    assert_eq!(names(&commands), ["insert", "update", "commitTransaction"]);
    assert!(commands[..2].iter().all(|(_, command)| command.get_str("comment").ok() == Some("tx")));
}
