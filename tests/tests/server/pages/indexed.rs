//! `assert_indexed`: the accepted reads, and the messages for the refused reads.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use schema_runtime::{
    assert_indexed, check_indexed,
    explain::{Explain, ReadProblem, problems},
};

use super::*;
use crate::relations::{LogLine, LogMsg, Product, host, message, parts, product};

/// Returns the words of the panic.
async fn refused(query: &impl Explain, db: &Database) -> String {
    let panic = AssertUnwindSafe(assert_indexed(query, db)).catch_unwind().await.expect_err("it is refused");
    *panic.downcast::<String>().expect("a text")
}

#[tokio::test]
async fn reads_by_an_index_are_taken_and_can_be_used_afterwards() {
    let (db, log, people) = people(200).await;
    let red = Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.score.desc()]);
    assert_indexed(&red, &db).await;
    assert_eq!(log.commands().len(), 1, "one explain");
    assert_eq!(red.clone().fetch_all(&db).await.unwrap().len(), 100);
    let page = red.clone().paginate(10).fetch(&db).await.unwrap();
    assert_indexed(&red.clone().paginate(10).after(&page.next), &db).await;
    assert_indexed(&red.paginate(10).before(&page.next), &db).await;
    assert_indexed(&Person::find(Person::F.id.eq(3)), &db).await;
    assert_indexed(&Person::find(Person::F.id.is_in([3_i64, 4, 500])), &db).await;
    assert_indexed(&Person::find(Person::F.name.eq(people[1].name.clone())), &db).await;
    let spawned = tokio::spawn({
        let db = db.clone();
        async move { assert_indexed(&Person::find(Person::F.id.eq(3)), &db).await }
    });
    spawned.await.unwrap();
}

#[tokio::test]
async fn what_no_index_serves_is_refused_with_the_reason() {
    let (db, _, _) = people(200).await;
    let scan = Person::find(Person::F.contact.city.eq("c3".to_owned()));
    assert_eq!(check_indexed(&scan, &db).await.unwrap(), [ReadProblem::CollectionScan]);
    let words = refused(&scan, &db).await;
    let line = line!() - 1;
    assert!(words.starts_with("no index serves the read of `people` at "), "{words}");
    assert!(words.contains("  - COLLSCAN: ") && words.ends_with("the plan: COLLSCAN"), "{words}");
    assert!(!words.contains("c3"), "no values: {words}");
    // The place of the call: `refused`, in this file.
    assert!(words.contains("indexed.rs:") && !words.contains(&format!("indexed.rs:{line}:")), "{words}");

    let sorted = Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.contact.city.asc()]);
    assert_eq!(check_indexed(&sorted, &db).await.unwrap(), [ReadProblem::BlockingSort]);
    let words = refused(&sorted, &db).await;
    assert!(words.contains("  - SORT: ") && words.contains("IXSCAN team_1_score_-1__id_-1"), "{words}");
    // `_id` has the opposite direction of the index.
    let page =
        Person::find(Person::F.team.eq(Team::Red)).sort([Person::F.score.desc(), Person::F.id.asc()]).paginate(5);
    assert_eq!(check_indexed(&page, &db).await.unwrap(), [ReadProblem::BlockingSort]);

    let both = Person::find(Filter::all()).sort([Person::F.contact.city.asc()]);
    assert_eq!(check_indexed(&both, &db).await.unwrap(), [ReadProblem::CollectionScan, ReadProblem::BlockingSort]);

    let filtered = Person::find(Person::F.team.eq(Team::Red).and(Person::F.contact.city.eq("c3".to_owned())))
        .sort([Person::F.score.desc()]);
    let found = check_indexed(&filtered, &db).await.unwrap();
    assert_eq!(found, [ReadProblem::Examined { keys: 100, documents: 100, returned: 11 }]);
    assert!(refused(&filtered, &db).await.contains("are examined to return 11, more than 32"));
}

#[tokio::test]
async fn what_reads_nothing_shows_nothing() {
    let db = schema_tests::database().await;
    let query = Person::find(Person::F.id.eq(3));
    assert_eq!(check_indexed(&query, &db).await.unwrap(), [ReadProblem::NothingRead]);
    assert!(refused(&query, &db).await.contains("EOF: nothing is read"));
    let failing = Person::find(Filter::raw(doc! { "$nonsense": 1 }));
    assert!(check_indexed(&failing, &db).await.is_err());
    assert!(refused(&failing, &db).await.contains("cannot be explained: "));
}

#[tokio::test]
async fn every_read_of_a_relation_can_be_asserted() {
    let (db, _) = database_with_log().await;
    let parts = parts(30);
    let product = product(&parts[..20]);
    let host = host("a");
    let messages: Vec<LogMsg> = (0..100).map(|at| message(&host, at, "")).collect();
    insert(&db, &parts).await;
    insert(&db, std::slice::from_ref(&product)).await;
    insert(&db, std::slice::from_ref(&host)).await;
    insert(&db, &messages).await;

    let children = check_indexed(&host.logmsgs(), &db).await.unwrap();
    assert_eq!(children, [ReadProblem::CollectionScan, ReadProblem::BlockingSort], "its index is not there yet");
    let each = LogMsg::HOST.inverse().latest(2);
    let hosts = [host.clone(), crate::relations::host("b"), host.clone()];
    assert_eq!(problems(&each.explain(&db, &hosts).await.unwrap()), [ReadProblem::CollectionScan]);
    assert_eq!(problems(&each.explain(&db, [&host]).await.unwrap()), [ReadProblem::Unknown]);
    index::<LogMsg>(&db).await;
    index::<Product>(&db).await;

    assert_indexed(&product.parts(), &db).await;
    assert_indexed(&messages[0].host(), &db).await;
    assert_indexed(&host.logmsgs(), &db).await;
    assert_indexed(&host.logmsgs().select::<LogLine>(), &db).await;
    assert_indexed(&host.logmsgs().latest(5), &db).await;
    assert_indexed(&host.logmsgs().paginate(5), &db).await;
    assert_indexed(&host.logmsgs().paginate(5).last(), &db).await;
    assert_indexed(&parts[0].products(), &db).await;
    assert_eq!(problems(&each.explain(&db, &hosts).await.unwrap()), []);
    let lookup = Product::PARTS.lookup(Product::F.id.eq(product.id)).explain(&db).await.unwrap();
    assert_eq!(problems(&lookup), []);
    let lookup = Product::PARTS.lookup(Product::F.name.eq("product")).explain(&db).await.unwrap();
    assert_eq!(problems(&lookup), [ReadProblem::CollectionScan]);
}
