//! Numbers of sequences.

use std::collections::BTreeSet;

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, schema, verify::Finding};
use schema_tests::{database, database_with_log, fail_command};

use super::{names, stored};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "invoices", new(Clone))]
struct Invoice {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[auto(sequence)]
    #[index(unique)]
    number: i64,
    #[auto(sequence = "papers")]
    paper: u32,
    #[bound(max_len = 10)]
    text: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tickets", new(Clone))]
struct Ticket {
    #[serde(rename = "_id")]
    #[auto(sequence = "papers")]
    id: i32,
    text: String,
}

fn new_invoice() -> NewInvoice {
    NewInvoice { text: "a".to_owned() }
}

async fn counter(db: &Database, name: &str) -> Option<i64> {
    let found = db.collection::<Document>("schema_sequences").find_one(doc! { "_id": name }).await.unwrap();
    found.map(|counter| counter.get_i64("last").unwrap())
}

#[tokio::test]
async fn numbers_begin_at_one_and_a_name_is_shared() {
    let (db, log) = database_with_log().await;
    let first = new_invoice().insert(&db).await.unwrap();
    assert_eq!(names(&log), ["findAndModify", "findAndModify", "insert"]);
    assert_eq!((first.number, first.paper), (1, 1));
    let ticket = NewTicket { text: "t".to_owned() }.insert(&db).await.unwrap();
    assert_eq!(ticket.id, 2);
    let second = new_invoice().insert(&db).await.unwrap();
    assert_eq!((second.number, second.paper), (2, 3));
    assert_eq!((counter(&db, "invoices.number").await, counter(&db, "papers").await), (Some(2), Some(3)));
    assert_eq!(stored(&db, "invoices").await.len(), 2);
}

#[tokio::test]
async fn many_values_take_a_range_by_one_command() {
    let (db, log) = database_with_log().await;
    new_invoice().insert(&db).await.unwrap();
    log.clear();
    let invoices = NewInvoice::insert_many(&db, vec![new_invoice(); 1_000]).await.unwrap();
    assert_eq!(names(&log), ["findAndModify", "findAndModify", "insert"]);
    let numbers: Vec<i64> = invoices.iter().map(|invoice| invoice.number).collect();
    assert_eq!(numbers, (2..=1_001).collect::<Vec<_>>());
    log.clear();
    NewInvoice::insert_many(&db, []).await.unwrap();
    assert!(names(&log).is_empty());
}

#[tokio::test]
async fn numbers_of_many_writers_are_distinct() {
    let db = database().await;
    schema![Invoice].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let writer = |at: usize, db: Database| async move {
        let mut numbers = Vec::new();
        for round in 0..10 {
            if (at + round).is_multiple_of(3) {
                let many = NewInvoice::insert_many(&db, vec![new_invoice(); 5]).await.unwrap();
                numbers.extend(many.iter().map(|invoice| invoice.number));
            } else {
                numbers.push(new_invoice().insert(&db).await.unwrap().number);
            }
        }
        numbers
    };
    let writers: Vec<_> = (0..16).map(|at| tokio::spawn(writer(at, db.clone()))).collect();
    let mut all = Vec::new();
    for writer in writers {
        let numbers = writer.await.unwrap();
        assert!(numbers.is_sorted(), "a writer's numbers rise");
        all.extend(numbers);
    }
    let distinct: BTreeSet<i64> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len());
    assert_eq!(distinct, (1..=i64::try_from(all.len()).unwrap()).collect());
    assert_eq!(counter(&db, "invoices.number").await, Some(all.len() as i64));
}

#[tokio::test]
async fn a_failed_sequence_inserts_nothing() {
    let (db, log) = database_with_log().await;
    let data = doc! { "failCommands": ["findAndModify"], "errorCode": 13 };
    let fail = fail_command(&db, "alwaysOn", data).await;
    let error = new_invoice().insert(&db).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error:?}");
    let error = NewInvoice::insert_many(&db, [new_invoice()]).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_)), "{error:?}");
    fail.clear().await;
    assert!(log.named("insert").is_empty());
    assert_eq!(new_invoice().insert(&db).await.unwrap().number, 1);
}

#[tokio::test]
async fn a_lost_answer_of_a_sequence_is_asked_for_again() {
    let db = database().await;
    let data = doc! { "failCommands": ["findAndModify"], "closeConnection": true };
    let fail = fail_command(&db, doc! { "times": 1 }, data).await;
    assert_eq!(new_invoice().insert(&db).await.unwrap().number, 1);
    fail.clear().await;
}

#[tokio::test]
async fn a_failed_insert_leaves_a_gap() {
    let db = database().await;
    let fail = fail_command(&db, "alwaysOn", doc! { "failCommands": ["insert"], "errorCode": 13 }).await;
    assert!(matches!(new_invoice().insert(&db).await, Err(Error::Driver(_))));
    fail.clear().await;
    let long = NewInvoice { text: "more than 10 characters".to_owned() };
    assert!(matches!(long.insert(&db).await, Err(Error::BoundExceeded { .. })));
    assert_eq!(new_invoice().insert(&db).await.unwrap().number, 3);
}

#[tokio::test]
async fn a_transaction_takes_numbers_outside_of_its_session() {
    let db = database().await;
    new_invoice().insert(&db).await.unwrap();
    let lost = schema_runtime::transaction(&db, |tx| async move {
        assert_eq!(new_invoice().insert(&tx).await?.number, 2);
        let many = NewInvoice::insert_many(&tx, vec![new_invoice(); 3]).await?;
        assert_eq!(many[2].number, 5);
        Err::<(), _>(Error::OutsideTransaction)
    });
    assert!(lost.await.is_err());
    assert_eq!(stored(&db, "invoices").await.len(), 1);
    assert_eq!(counter(&db, "invoices.number").await, Some(5));
    // Two open transactions take numbers of one sequence, and neither waits for the other.
    let open = |db: Database| async move {
        let inside = schema_runtime::transaction(&db, |tx| async move {
            let one = new_invoice().insert(&tx).await?.number;
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            Ok::<_, Error>((one, new_invoice().insert(&tx).await?.number))
        });
        inside.await.unwrap()
    };
    let ((a, b), (c, d)) = tokio::join!(open(db.clone()), open(db.clone()));
    assert_eq!(BTreeSet::from([a, b, c, d]).len(), 4);
    assert_eq!(stored(&db, "invoices").await.len(), 5);
}

#[tokio::test]
async fn a_counter_that_is_no_number_is_a_typed_error() {
    let db = database().await;
    let counters = db.collection::<Document>("schema_sequences");
    counters.insert_one(doc! { "_id": "papers", "last": i64::from(i32::MAX) - 1 }).await.unwrap();
    assert_eq!(NewTicket { text: "a".to_owned() }.insert(&db).await.unwrap().id, i32::MAX);
    let error = NewTicket { text: "b".to_owned() }.insert(&db).await.unwrap_err();
    assert!(matches!(&error, Error::Encode { field, .. } if field == "id"), "{error:?}");
    assert_eq!(stored(&db, "tickets").await.len(), 1);
    counters.update_one(doc! { "_id": "papers" }, doc! { "$set": { "last": "no number" } }).await.unwrap();
    assert!(matches!(NewTicket { text: "c".to_owned() }.insert(&db).await, Err(Error::Driver(_))));
    counters.update_one(doc! { "_id": "papers" }, doc! { "$set": { "last": i64::MAX } }).await.unwrap();
    let error = NewTicket { text: "d".to_owned() }.insert(&db).await.unwrap_err();
    assert!(matches!(error, Error::Driver(_) | Error::Decode { .. }), "{error:?}");
    counters.update_one(doc! { "_id": "papers" }, doc! { "$set": { "last": 1.5 } }).await.unwrap();
    let error = NewTicket { text: "e".to_owned() }.insert(&db).await.unwrap_err();
    assert!(matches!(&error, Error::Decode { collection, .. } if collection == "schema_sequences"), "{error:?}");
}

#[tokio::test]
async fn a_model_with_numbers_is_made_without_an_insert() {
    let (db, log) = database_with_log().await;
    let invoice = new_invoice().prepare(&db).await.unwrap();
    let more = NewInvoice::prepare_many(&db, vec![new_invoice(); 2]).await.unwrap();
    assert_eq!((invoice.number, more[0].number, more[1].number), (1, 2, 3));
    assert!(log.named("insert").is_empty());
    Invoice::insert(&db, &invoice).await.unwrap();
}

#[tokio::test]
async fn verify_finds_a_sequence_that_is_behind() {
    let db = database().await;
    let schema = schema![Invoice, Ticket];
    schema.plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    NewInvoice::insert_many(&db, vec![new_invoice(); 3]).await.unwrap();
    assert!(schema.verify(&db).await.unwrap().is_clean());
    let mut imported = new_invoice().prepare(&db).await.unwrap();
    imported.number = 70;
    Invoice::insert(&db, &imported).await.unwrap();
    let report = schema.verify(&db).await.unwrap();
    let [Finding::SequenceBehind(found)] = report.findings() else { panic!("{report}") };
    assert_eq!((found.field.as_str(), found.sequence), ("number", "invoices.number"));
    assert_eq!((found.last, found.largest, found.documents), (4, 70, 1));
    assert!(report.to_string().contains("Invoice.number: 1 document of `invoices` with numbers up to 70"), "{report}");
    let raise = doc! { "$max": { "last": 70_i64 } };
    db.collection::<Document>("schema_sequences").update_one(doc! { "_id": "invoices.number" }, raise).await.unwrap();
    assert!(schema.verify(&db).await.unwrap().is_clean());
    assert_eq!(new_invoice().insert(&db).await.unwrap().number, 71);
    // A plan knows nothing of the collection of sequences.
    assert!(schema.plan(&db).await.unwrap().is_empty());
}
