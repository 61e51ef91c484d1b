//! Guards of `inc`, `dec` and `mul`: the number of one document never leaves the range of its field, whatever other
//! clients do; the error names the rule, and a missing document is a different error.

use std::process::Stdio;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{ErrorKind, FailedRule, RuleLimit, operation::Updated, prelude::*, transaction};
use schema_tests::{database, database_with_log, process, server};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: i64,
    #[version]
    version: i64,
    stock: u32,
    small: i8,
    wide: i64,
    total: u64,
    price: f64,
    #[bound(max_items = 4)]
    parts: Vec<u8>,
    #[bound(max_items = 2)]
    notes: Vec<i32>,
    #[relation(one_to_one, embed)]
    shelf: Option<Shelf>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Shelf {
    count: u16,
}

fn good(id: i64, stock: u32) -> Good {
    let (parts, shelf) = (vec![1, 2], Some(Shelf { count: 3 }));
    Good { id, version: 1, stock, small: 100, wide: 5, total: 7, price: 1.5, parts, notes: Vec::new(), shelf }
}

async fn raw(db: &Database, id: i64) -> Document {
    db.collection::<Document>("goods").find_one(doc! { "_id": id }).await.unwrap().unwrap()
}

fn failures(written: Result<Updated<i64>>) -> Vec<(String, String, Option<RuleLimit>)> {
    match written {
        Err(Error::DocumentInvalid { failures, .. }) => {
            failures.into_iter().map(|FailedRule { field, rule, limit, .. }| (field, rule, limit)).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn below(field: &str, limit: i64) -> Vec<(String, String, Option<RuleLimit>)> {
    vec![(field.to_owned(), "minimum".to_owned(), Some(RuleLimit::Integer(limit)))]
}

fn above(field: &str, limit: i64) -> Vec<(String, String, Option<RuleLimit>)> {
    vec![(field.to_owned(), "maximum".to_owned(), Some(RuleLimit::Integer(limit)))]
}

#[tokio::test]
async fn one_command_and_a_read_only_after_a_refusal() {
    let (db, log) = database_with_log().await;
    Good::insert(&db, &good(1, 5)).await.unwrap();
    log.clear();
    Good::update_by_id(1).dec(Good::F.stock, 3).execute(&db).await.unwrap();
    let commands = log.commands();
    assert_eq!(commands.len(), 1);
    let update = log.named("update")[0].get_array("updates").unwrap()[0].as_document().unwrap().clone();
    assert_eq!(update.get_document("q").unwrap(), &doc! { "_id": 1_i64, "stock": { "$gte": 3_i64 } });
    assert_eq!(update.get_document("u").unwrap(), &doc! { "$inc": { "stock": -3_i64, "version": 1 } });

    let before = raw(&db, 1).await;
    log.clear();
    let error = Good::update_by_id(1).dec(Good::F.stock, 3).execute(&db).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("`stock` is less than 0"), "{error}");
    assert_eq!(log.commands().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["update", "find"]);
    assert_eq!(raw(&db, 1).await, before, "nothing was written, not even the version");

    let missing = Good::update_by_id(2).dec(Good::F.stock, 3).execute(&db).await.unwrap_err();
    assert!(matches!(missing, Error::NotFound { .. }), "{missing}");
}

#[tokio::test]
async fn each_end_of_each_integer_type() {
    let db = database().await;
    Good::insert(&db, &good(1, u32::MAX - 1)).await.unwrap();
    let (f, update) = (Good::F, || Good::update_by_id(1));
    update().inc(f.stock, 1).execute(&db).await.unwrap();
    assert_eq!(failures(update().inc(f.stock, 1).execute(&db).await), above("stock", u32::MAX.into()));
    assert_eq!(failures(update().inc(f.small, 28).execute(&db).await), above("small", 127));
    update().inc(f.small, 27).execute(&db).await.unwrap();
    assert_eq!(failures(update().dec(f.small, -128).execute(&db).await), above("small", 127));
    update().inc(f.small, -128).execute(&db).await.unwrap();
    assert_eq!(failures(update().mul(f.small, -128).execute(&db).await), above("small", 127));
    update().mul(f.small, -127).execute(&db).await.unwrap();
    assert_eq!(failures(update().mul(f.small, 2).execute(&db).await), above("small", 127));
    assert_eq!(failures(update().dec(f.total, 8).execute(&db).await), below("total", 0));
    update().dec(f.total, 7).execute(&db).await.unwrap();
    update().mul(f.total, 0).mul(f.stock, 0).execute(&db).await.unwrap();
    // The server itself refuses to leave the range of a `long`.
    let overflow = update().inc(f.wide, i64::MAX).execute(&db).await.unwrap_err();
    assert!(matches!(overflow, Error::Driver(_)), "{overflow}");
    update().dec(f.wide, i64::MAX).execute(&db).await.unwrap();
    assert!(matches!(update().dec(f.wide, i64::MIN).execute(&db).await, Err(Error::Update { .. })));
    let good = Good::get_by_id(&db, &1).await.unwrap();
    assert_eq!((good.stock, good.small, good.total, good.wide), (0, 127, 0, 5 - i64::MAX));
    // A float has no width, and a negative amount of a float is an amount.
    update().dec(f.price, 2.0).mul(f.price, -1.0).execute(&db).await.unwrap_err();
    update().dec(f.price, 2.0).execute(&db).await.unwrap();
    assert_eq!(Good::get_by_id(&db, &1).await.unwrap().price, -0.5);
}

#[tokio::test]
async fn inside_of_structs_and_lists_and_beside_other_conditions() {
    let db = database().await;
    Good::insert(&db, &good(1, 5)).await.unwrap();
    let (f, update) = (Good::F, || Good::update_by_id(1));
    assert_eq!(failures(update().dec(f.shelf.count, 4).execute(&db).await), below("shelf.count", 0));
    assert_eq!(failures(update().dec(f.parts.at_index(1), 3).execute(&db).await), below("parts.1", 0));
    update().dec(f.parts.at_index(1), 2).dec(f.shelf.count, 3).execute(&db).await.unwrap();
    let both = update().dec(f.shelf.count, 1).inc(f.small, 100).dec(f.stock, 1).execute(&db).await;
    assert_eq!(failures(both), [below("shelf.count", 0), above("small", 127)].concat());
    // An array without capacity, and a condition, each with its own error.
    let full = update().push_each(f.notes, [1, 2, 3]).dec(f.stock, 1).execute(&db).await.unwrap_err();
    assert!(matches!(full, Error::BoundExceeded { .. }), "{full}");
    let unmet = update().only_if(f.stock.gt(100)).dec(f.stock, 1).execute(&db).await.unwrap_err();
    assert!(matches!(unmet, Error::ConditionFailed { .. }), "{unmet}");
    assert_eq!(failures(update().only_if(f.stock.eq(5)).dec(f.stock, 6).execute(&db).await), below("stock", 0));
    // An element of a list has no guard.
    let each = update().each(f.parts, |_| Filter::all(), |change, part| change.dec(part, 1));
    each.execute(&db).await.unwrap();
    assert_eq!(raw(&db, 1).await.get_array("parts").unwrap(), &[Bson::Int32(0), Bson::Int32(-1)]);
}

#[tokio::test]
async fn another_document_that_matches_may_have_enough() {
    let db = database().await;
    Good::insert_many(&db, &[good(1, 1), good(2, 5), good(3, 1)]).await.unwrap();
    let f = Good::F;
    let one = Good::update_one(Filter::all()).dec(f.stock, 3).execute(&db).await.unwrap();
    assert_eq!(one.matched, 1);
    assert_eq!(Good::get_by_id(&db, &2).await.unwrap().stock, 2);
    let none = Good::update_one(Filter::all()).dec(f.stock, 3).execute(&db).await;
    assert_eq!(failures(none), below("stock", 0));
    let found = Good::find_one_and_update(f.id.lt(3)).dec(f.stock, 2).fetch_after(&db).await.unwrap();
    assert_eq!(found.unwrap().stock, 0);
    let none = Good::find_one_and_update(f.id.gt(9)).dec(f.stock, 2).fetch_after(&db).await.unwrap();
    assert!(none.is_none(), "no document matches");
    let error = Good::update_by_id(1).dec(f.stock, 2).fetch_before(&db).await.unwrap_err();
    assert!(matches!(error, Error::DocumentInvalid { .. }), "{error}");
    // An update of many documents has no guard; the validator alone refuses.
    schema![Good].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let many = Good::update_many(Filter::all()).dec(f.stock, 1).execute(&db).await;
    assert!(matches!(many, Err(Error::DocumentInvalid { .. })), "{many:?}");
}

#[tokio::test]
async fn upserts_bulks_and_transactions() {
    let db = database().await;
    Good::insert(&db, &good(1, 5)).await.unwrap();
    let f = Good::F;
    let refused = Good::update_by_id(1).dec(f.stock, 1).upsert().execute(&db).await;
    assert_eq!(failures(refused), below("stock", 0), "the inserted stock would be -1");
    let full = Good::update_by_id(1).inc(f.stock, u32::MAX - 3).upsert().execute(&db).await;
    assert_eq!(failures(full), above("stock", u32::MAX.into()));
    assert_eq!(Good::find(Filter::all()).count(&db).await.unwrap(), 1);
    let counted = Good::update_one(f.id.eq(2)).inc(f.stock, 2).upsert().execute(&db).await.unwrap();
    assert!(counted.upserted_id.is_some());

    let report = Good::bulk()
        .update(Good::update_by_id(1).dec(f.stock, 5))
        .update(Good::update_by_id(1).dec(f.stock, 1))
        .execute(&db)
        .await
        .unwrap();
    assert_eq!(report.counts.unmatched, Some(1));
    assert!(report.complete().is_err());
    assert_eq!(Good::get_by_id(&db, &1).await.unwrap().stock, 0);

    let moved = transaction(&db, |tx| async move {
        Good::update_by_id(1).inc(f.stock, 4).execute(&tx).await?;
        Good::update_by_id(1).dec(f.stock, 9).execute(&tx).await
    });
    assert_eq!(failures(moved.await), below("stock", 0));
    assert_eq!(Good::get_by_id(&db, &1).await.unwrap().stock, 0);
}

#[tokio::test]
async fn an_absent_number_counts_as_zero() {
    let db = database().await;
    let goods = db.collection::<Document>("goods");
    goods.insert_one(doc! { "_id": 1_i64 }).await.unwrap();
    goods.insert_one(doc! { "_id": 2_i64, "stock": f64::NAN, "small": 5.0 }).await.unwrap();
    let f = Good::F;
    assert_eq!(failures(Good::update_by_id(1).dec(f.stock, 1).execute(&db).await), below("stock", 0));
    Good::update_by_id(1).inc(f.stock, 1).inc(f.small, -5).execute(&db).await.unwrap();
    assert_eq!(raw(&db, 1).await.get_i64("stock").unwrap(), 1);
    assert_eq!(failures(Good::update_by_id(2).dec(f.stock, 1).execute(&db).await), below("stock", 0));
    assert_eq!(failures(Good::update_by_id(2).inc(f.small, 123).execute(&db).await), above("small", 127));
}

/// The number of processes that take from one stock.
const PROCESSES: usize = 16;

/// The stock that the processes share. The processes try to take more.
const STOCK: u32 = 400;

/// Sixteen processes take from one stock. The stock never falls below zero, and the successes are the stock.
#[tokio::test]
async fn sixteen_processes_take_from_one_stock() {
    let f = Good::F;
    if let Some(db) = process::prepared().await {
        let mut taken = 0_u32;
        loop {
            let amount = fastrand::u32(1..=3);
            match Good::update_by_id(1).dec(f.stock, amount).execute(&db).await {
                Ok(_) => taken += amount,
                Err(Error::DocumentInvalid { .. }) if amount == 1 => break,
                Err(Error::DocumentInvalid { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        println!("taken {taken}");
        return;
    }
    let db = database().await;
    Good::insert(&db, &good(1, STOCK)).await.unwrap();
    let test = "operators::guards::sixteen_processes_take_from_one_stock";
    let uri = server().await.uri();
    let start = |_| process::again(test, uri, &db).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = (0..PROCESSES).map(start).collect();
    let mut taken = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}");
        let line = text.lines().find_map(|line| line.split("taken ").nth(1)).expect("the taken amount");
        taken += line.trim().parse::<u32>().unwrap();
    }
    assert_eq!(Good::get_by_id(&db, &1).await.unwrap().stock, 0, "the stock is taken");
    assert_eq!(taken, STOCK);
}
