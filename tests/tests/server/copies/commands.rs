//! The commands of each operation: no additional command for a field without copies, and the commands of the protocol
//! for a copied field. The manual has the same table.

use mongodb::Database;
use schema_runtime::{Schema, Throttle, prelude::*, transaction};
use schema_tests::{CommandLog, database_with_log};

use super::{
    models::{Host, LogMsg, Part, Product},
    writes::{part, product, refers},
};

fn host(id: i64) -> Host {
    Host { id, name: format!("host {id}"), ipaddr: format!("127.0.0.{id}") }
}

fn message(id: i64, host: i64) -> LogMsg {
    let time = DateTime::from_millis(id);
    LogMsg { id, host: Ref::new(host), ipaddr: "?".to_owned(), time, message: "up".to_owned() }
}

/// Makes two sources of each kind, holders of both, and no marks.
async fn begin() -> (Database, CommandLog, Schema) {
    let (db, log) = database_with_log().await;
    let schema = schema![Product, Part, Host, LogMsg];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap();
    Part::insert_many(&db, &[part(1, "bolt"), part(2, "nut")]).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2)]).await.unwrap();
    Product::insert(&db, &product(1, &[1, 2])).await.unwrap();
    LogMsg::insert_many(&db, &[message(1, 1), message(2, 2)]).await.unwrap();
    schema.recover(&db, &Throttle::new()).await.unwrap();
    log.clear();
    (db, log, schema)
}

/// Compares the commands since the last call.
#[track_caller]
fn assert_sent(log: &CommandLog, what: &str, expected: &str) {
    let names: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.join(" "), expected, "{what}");
    log.clear();
}

#[tokio::test]
async fn of_a_source_with_few_holders() {
    let (db, log, _) = begin().await;
    Part::update_by_id(1).inc(Part::F.qty, 1).execute(&db).await.unwrap();
    assert_sent(&log, "a field that nobody copies", "update");
    Part::update_by_id(1).set(Part::F.name, "a").execute(&db).await.unwrap();
    assert_sent(&log, "a copied field", "findAndModify update commitTransaction update update");
    Part::find_one_and_update(Part::F.id.eq(1)).set(Part::F.name, "b").fetch_after(&db).await.unwrap();
    assert_sent(&log, "find_one_and_update", "findAndModify update commitTransaction update update");
    Part::update_many(Filter::all()).set(Part::F.name, "c").execute(&db).await.unwrap();
    assert_sent(&log, "many", "update find update update");
    Part::update_by_id(1).set(Part::F.name, "d").set(Part::F.qty, 1).upsert().execute(&db).await.unwrap();
    assert_sent(&log, "an upsert that updates", "update find update update");
    Part::update_by_id(9).set(Part::F.name, "e").set(Part::F.qty, 1).upsert().execute(&db).await.unwrap();
    assert_sent(&log, "an upsert that inserts", "update aggregate update");
    Part::update_by_id(1).set(Part::F.name, "f").defer_copies().execute(&db).await.unwrap();
    assert_sent(&log, "defer_copies", "findAndModify");
    Part::bulk().update(Part::update_by_id(1).set(Part::F.name, "g")).execute(&db).await.unwrap().complete().unwrap();
    assert_sent(&log, "a bulk", "update find update update");
    transaction(&db, |tx| async move { Part::update_by_id(1).set(Part::F.name, "h").execute(&tx).await })
        .await
        .unwrap();
    assert_sent(&log, "in a transaction", "findAndModify update commitTransaction update update");
}

#[tokio::test]
async fn of_a_source_that_is_put_in_whole() {
    let (db, log, _) = begin().await;
    Part::insert(&db, &part(3, "new")).await.unwrap();
    assert_sent(&log, "an insert", "insert aggregate update");
    Part::insert_many(&db, &[part(4, "new"), part(5, "new")]).await.unwrap();
    assert_sent(&log, "an insert of many", "insert aggregate update");
    Part::replace(&db, &Part { qty: 7, ..part(1, "bolt") }).await.unwrap();
    assert_sent(&log, "a replace with the same copied fields", "findAndModify");
    Part::replace(&db, &part(1, "other")).await.unwrap();
    assert_sent(&log, "another", "findAndModify findAndModify update commitTransaction update update");
    Part::save(&db, &mut part(1, "third")).await.unwrap();
    assert_sent(&log, "a save", "findAndModify findAndModify update commitTransaction update update");
    Part::delete_by_id(&db, &1).await.unwrap();
    assert_sent(&log, "a delete", "delete");
    Part::insert(&db, &part(1, "again")).await.unwrap();
    assert_sent(&log, "an insert of an `_id` that holders refer to", "insert aggregate findAndModify update update");
}

#[tokio::test]
async fn of_a_source_with_many_holders() {
    let (db, log, _) = begin().await;
    Host::update_by_id(1).set(Host::F.name, "a").execute(&db).await.unwrap();
    assert_sent(&log, "a field that nobody copies", "update");
    Host::update_by_id(1).set(Host::F.ipaddr, "127.0.1.1").execute(&db).await.unwrap();
    assert_sent(&log, "a copied field, in one chunk", "findAndModify find update update");
    transaction(&db, |tx| async move { Host::update_by_id(1).set(Host::F.ipaddr, "127.0.1.2").execute(&tx).await })
        .await
        .unwrap();
    assert_sent(&log, "in a transaction", "findAndModify commitTransaction find update update");
    Host::insert(&db, &host(3)).await.unwrap();
    assert_sent(&log, "an insert", "insert distinct update");
}

#[tokio::test]
async fn of_a_holder_with_one_reference() {
    let (db, log, _) = begin().await;
    LogMsg::insert(&db, &message(3, 1)).await.unwrap();
    assert_sent(&log, "an insert", "find insert find");
    let host = Ref::<Host>::new(1);
    let build = |host: &Host| LogMsg { ipaddr: host.ipaddr.clone(), ..message(4, host.id) };
    LogMsg::insert_with(&db, &host, build).await.unwrap();
    assert_sent(&log, "insert_with", "find insert find");
    LogMsg::insert_many(&db, &[message(5, 1), message(6, 2)]).await.unwrap();
    assert_sent(&log, "an insert of many", "find insert find update");
    LogMsg::update_by_id(1).set(LogMsg::F.message, "down").execute(&db).await.unwrap();
    assert_sent(&log, "a field that is no reference", "update");
    LogMsg::update_by_id(1).set(LogMsg::F.host, Ref::new(2)).execute(&db).await.unwrap();
    assert_sent(&log, "another source", "find update find");
    LogMsg::update_many(Filter::all()).set(LogMsg::F.host, Ref::new(2)).execute(&db).await.unwrap();
    assert_sent(&log, "another source for many", "find update find update");
    LogMsg::replace(&db, &message(1, 2)).await.unwrap();
    assert_sent(&log, "a replace with the same reference", "findAndModify");
    LogMsg::replace(&db, &message(1, 1)).await.unwrap();
    assert_sent(&log, "another", "findAndModify find findAndModify find");
    LogMsg::delete_by_id(&db, &1).await.unwrap();
    assert_sent(&log, "a delete", "delete");
    transaction(&db, |tx| async move { LogMsg::insert(&tx, &message(7, 1)).await }).await.unwrap();
    assert_sent(&log, "an insert in a transaction", "find insert commitTransaction find");
}

#[tokio::test]
async fn of_a_holder_with_an_array() {
    let (db, log, _) = begin().await;
    Product::insert(&db, &product(2, &[1, 2, 1])).await.unwrap();
    assert_sent(&log, "an insert", "find insert find");
    Product::update_by_id(1).set(Product::F.parts, vec![refers(1)]).execute(&db).await.unwrap();
    assert_sent(&log, "the whole array", "find update find");
    Product::update_by_id(1).push(Product::F.parts, refers(2)).execute(&db).await.unwrap();
    assert_sent(&log, "a push, whose look reads the array", "find update find find update");
    let from = |id| Ref::<Part>::new(id);
    let each = Product::update_by_id(1).each(
        Product::F.parts,
        |part| part.id.eq(from(1)),
        |change, part| change.set(part.id, from(2)),
    );
    each.execute(&db).await.unwrap();
    assert_sent(&log, "another source for an element", "find update find find update");
    Product::update_by_id(1).pull(Product::F.parts, refers(2)).execute(&db).await.unwrap();
    assert_sent(&log, "a pull", "update");
    Product::update_by_id(1).set(Product::F.title, "new").execute(&db).await.unwrap();
    assert_sent(&log, "a field that is no reference", "update");
    Product::replace(&db, &product(1, &[2])).await.unwrap();
    assert_sent(&log, "a replace", "find find findAndModify find");
    Product::replace(&db, &Product { title: "another".to_owned(), ..product(1, &[2]) }).await.unwrap();
    assert_sent(&log, "a replace with the same references", "find findAndModify");
    let bulk = Product::bulk().insert(&product(3, &[1])).insert(&product(4, &[2]));
    bulk.execute(&db).await.unwrap().complete().unwrap();
    assert_sent(&log, "a bulk of inserts", "find insert find update");
}

/// The client clears the marks of single inserts at 64 marks.
#[tokio::test]
async fn of_many_single_inserts() {
    let (db, log, schema) = begin().await;
    for id in 100..164 {
        LogMsg::insert(&db, &message(id, 1)).await.unwrap();
    }
    assert_eq!((log.named("insert").len(), log.named("find").len(), log.named("update").len()), (64, 128, 1));
    // A single member has the clear: an immediate recover may still read the marks from a majority.
    schema.recover(&db, &Throttle::new()).await.unwrap();
    log.clear();
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_sent(&log, "recover where nothing is marked", "find find find find find find");
}
