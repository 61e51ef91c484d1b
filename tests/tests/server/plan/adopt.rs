//! A plan for existing collections.

use mongodb::bson::doc;
use schema_runtime::{
    Error, Throttle,
    apply::{ApplyOptions, Outcome},
    plan::{Change, Needs},
    prelude::*,
};
use schema_tests::{database, database_with_log};

use super::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people", validation(level = moderate, action = warn))]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    ssn: String,
    #[index(unique)]
    email: Option<String>,
    #[relation(one_to_few, embed, max = 5)]
    cars: Vec<Car>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Car {
    plate: String,
}

/// A unique index through an array.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[index(cars.plate, unique)]
struct Owner {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 5)]
    cars: Vec<Car>,
}

#[tokio::test]
async fn existing_documents_are_counted_and_kept() {
    let db = database().await;
    let people = raw(&db, "people");
    people
        .insert_many([
            doc! { "_id": 1, "ssn": "a", "email": null, "cars": [] },
            doc! { "_id": 2, "ssn": "a", "email": null, "cars": [] },
            doc! { "_id": 3, "ssn": "b", "cars": "none" },
            doc! { "_id": 4, "ssn": "b", "email": "x", "cars": [] },
            doc! { "_id": 5, "ssn": "c", "email": "y", "cars": [] },
            doc! { "_id": 6, "ssn": 7, "email": "z", "cars": [] },
        ])
        .await
        .expect("inserted");
    let plan = planned(schema![Person], &db).await;
    let [
        Change::SetValidator { old: None, refused: Some(2), foreign: false, .. },
        Change::CreateIndex { duplicates: Some(ssn), .. },
        Change::CreateIndex { duplicates: Some(email), .. },
    ] = changes(&plan)[..]
    else {
        panic!("{plan}")
    };
    assert_eq!(ssn.groups, 2);
    assert!(ssn.sample.contains(&doc! { "ssn": "a" }) && ssn.sample.contains(&doc! { "ssn": "b" }), "{ssn:?}");
    assert_eq!(email.groups, 0, "nulls are left out");
    let text = plan.to_string();
    assert!(
        text.contains("2 documents do not pass the new validator") && text.contains("2 keys are each in several"),
        "{text}"
    );

    // All possible steps are done, and each failed step reports its reason.
    let report = plan.apply(&db).await.expect("a report");
    let failed: Vec<_> = report.failures().collect();
    assert_eq!(failed.len(), 1);
    assert!(matches!(&failed[0].outcome, Outcome::Failed(Error::DuplicateKey { index, .. }) if index == "ssn_1"));
    assert_eq!(report.done().count(), 2);
    assert_eq!(names(&db, "people").await, ["email_1"]);
    assert_eq!(people.count_documents(doc! {}).await.expect("a count"), 6);
    assert_eq!(options(&db, "people").await.get_str("validationAction").ok(), Some("warn"));
    people.update_one(doc! { "_id": 3 }, doc! { "$set": { "seen": true } }).await.expect("moderate lets it be");

    people.delete_many(doc! { "_id": { "$in": [2, 3] } }).await.expect("deleted");
    applied(schema![Person], &db).await;
    is_settled(schema![Person], &db).await;
}

#[tokio::test]
async fn stop_on_error_stops() {
    let db = database().await;
    raw(&db, "people").insert_many([doc! { "ssn": "a" }, doc! { "ssn": "a" }]).await.expect("inserted");
    let stop = ApplyOptions::new().stop_on_error(true);
    let report = planned(schema![Person], &db).await.apply_with(&db, stop).await.expect("a report");
    let outcomes: Vec<_> = report.entries().iter().map(|entry| &entry.outcome).collect();
    assert!(matches!(outcomes[..], [Outcome::Done, Outcome::Failed(_), Outcome::NotReached]), "{report}");
    assert_eq!(names(&db, "people").await, Vec::<String>::new());
}

#[tokio::test]
async fn duplicates_inside_one_document_are_none() {
    let db = database().await;
    let people = raw(&db, "people");
    let cars = |id: i64, plates: &[&str]| {
        let cars: Vec<Document> = plates.iter().map(|plate| doc! { "plate": *plate }).collect();
        doc! { "_id": id, "cars": cars }
    };
    people.insert_many([cars(1, &["a", "a", "b"]), cars(2, &["c"]), cars(3, &["d"])]).await.expect("inserted");
    let found = async || {
        let plan = planned(schema![Owner], &db).await;
        let duplicates = changes(&plan).into_iter().find_map(|change| match change {
            Change::CreateIndex { duplicates, .. } => duplicates.clone(),
            _ => None,
        });
        duplicates.expect("they were counted")
    };
    assert_eq!(found().await.groups, 0);
    people.insert_one(cars(4, &["x", "b"])).await.expect("inserted");
    let duplicates = found().await;
    assert_eq!((duplicates.groups, duplicates.sample), (1, vec![doc! { "cars.plate": "b" }]));
    let report = planned(schema![Owner], &db).await.apply(&db).await.expect("a report");
    assert!(matches!(report.entries()[1].outcome, Outcome::Failed(Error::DuplicateKey { .. })), "{report}");
    people.delete_one(doc! { "_id": 4 }).await.expect("deleted");
    applied(schema![Owner], &db).await;
}

#[tokio::test]
async fn a_validator_of_somebody_else_stays_until_asked_to() {
    let (db, log) = database_with_log().await;
    let theirs = doc! { "ssn": { "$type": "string" } };
    db.run_command(doc! { "create": "people", "validator": theirs.clone() }).await.expect("made");
    log.clear();
    let plan = planned(schema![Person], &db).await;
    assert!(matches!(changes(&plan)[0], Change::SetValidator { foreign: true, .. }), "{plan}");
    assert_eq!(plan.steps()[0].needs(), Needs::ReplaceValidators);
    assert!(plan.to_string().contains("that this crate did not write"), "{plan}");
    let report = plan.apply(&db).await.expect("a report");
    assert_eq!((report.failures().count(), report.undone().count()), (0, 1), "{report}");
    let error = report.complete().expect_err("the declared validator is not in effect");
    assert!(matches!(&error, Error::ApplyIncomplete { steps: 1, .. }), "{error}");
    assert_eq!(options(&db, "people").await.get_document("validator").ok(), Some(&theirs));
    assert!(!changing(&log).contains(&"collMod".to_owned()));

    let options = ApplyOptions::new().replace_validators(true);
    planned(schema![Person], &db).await.apply_with(&db, options).await.expect("a report");
    is_settled(schema![Person], &db).await;
}

#[tokio::test]
async fn a_collection_made_by_somebody_else_in_between_is_not_taken_for_ours() {
    let db = database().await;
    let plan = planned(schema![Person], &db).await;
    raw(&db, "people").insert_one(doc! { "a": 1 }).await.expect("inserted");
    let report = plan.apply(&db).await.expect("a report");
    assert!(matches!(&report.entries()[0].outcome, Outcome::Failed(Error::PlanOutdated { .. })), "{report}");
    assert!(report.entries()[1..].iter().all(|entry| matches!(entry.outcome, Outcome::NotReached)), "{report}");
    applied(schema![Person], &db).await;
    is_settled(schema![Person], &db).await;
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Toy::made_by, fan_out = 100)]
    name: String,
    size: i32,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone)]
#[model(collection = "toys")]
struct Toy {
    #[serde(rename = "_id")]
    id: i64,
    maker: Ref<Maker>,
    #[denormalize(from = maker.name)]
    made_by: String,
    price: i32,
}

/// The crate writes copies and marks to documents that the user does not write: a strict validator would refuse these
/// writes for ever.
#[tokio::test]
async fn copies_reach_documents_that_the_validator_would_refuse() {
    let db = database().await;
    raw(&db, "makers").insert_one(doc! { "_id": 1_i64, "name": "Ann", "size": "huge" }).await.expect("inserted");
    let toys =
        [doc! { "_id": 1_i64, "maker": 1_i64, "made_by": "Ann", "price": 3 }, doc! { "_id": 2_i64, "maker": 1_i64 }];
    raw(&db, "toys").insert_many(toys).await.expect("inserted");
    let schema = schema![Maker, Toy];
    let plan = planned(schema, &db).await;
    let text = plan.to_string();
    assert!(text.contains("validator moderate error\n      1 document does not pass the new validator"), "{text}");
    let note =
        "note: 1 document does not pass the validator of makers: the validator is `moderate` until all documents pass";
    assert!(text.contains(note), "{text}");
    plan.apply(&db).await.expect("a report").complete().expect("all done");
    let again = planned(schema, &db).await;
    assert!(again.is_empty() && again.notes().len() == 2, "{again}");

    Maker::update_by_id(1).set(Maker::F.name, "Bea").execute(&db).await.expect("it is propagated");
    schema.backfill(&db, &Throttle::new()).await.expect("it is filled");
    let holds = doc! { "made_by": "Bea" };
    assert_eq!(raw(&db, "toys").count_documents(holds).await.expect("a count"), 2);
    assert_eq!(
        raw(&db, "makers").count_documents(doc! { "_sync_toys_maker": { "$exists": true } }).await.expect("a count"),
        0
    );

    // The validator checks new documents, and becomes strict once all documents pass.
    let refused = raw(&db, "toys").insert_one(doc! { "_id": 3_i64, "maker": 1_i64 }).await;
    assert!(refused.is_err());
    raw(&db, "makers").update_one(doc! { "_id": 1_i64 }, doc! { "$set": { "size": 7 } }).await.expect("updated");
    raw(&db, "toys").update_one(doc! { "_id": 2_i64 }, doc! { "$set": { "price": 1 } }).await.expect("updated");
    let plan = planned(schema, &db).await;
    assert!(plan.to_string().contains("validator, moderate error becomes strict error"), "{plan}");
    plan.apply(&db).await.expect("a report").complete().expect("all done");
    assert!(planned(schema, &db).await.is_empty());
}
