//! Writes of a collection with a collation whose command fails: the error says so, nothing is stored, and the same
//! call succeeds afterwards. A lost connection is one write, not two.

use futures_util::future::BoxFuture;
use schema_runtime::Error;
use schema_tests::{database, fail_command};

use super::*;

/// A write, with the command of the write and the names afterwards.
struct Case {
    command: &'static str,
    write: fn(Database) -> BoxFuture<'static, Result<u64>>,
    names: &'static [(i64, &'static str, &'static str)],
}

/// The people before each write.
const BEFORE: &[(i64, &str, &str)] = &[(1, "Kare", "Oslo"), (2, "KARE", "Oslo"), (3, "Ola", "Oslo")];

fn by_name() -> Filter<Person> {
    Person::F.name.eq("kare")
}

/// The writes find `Kare` and `KARE` by `kare`.
const CASES: &[Case] = &[
    Case {
        command: "insert",
        write: |db| Box::pin(async move { Person::insert(&db, &person(4, "Eva", "no")).await.map(|_| 1) }),
        names: &[(1, "Kare", "Oslo"), (2, "KARE", "Oslo"), (3, "Ola", "Oslo"), (4, "Eva", "Oslo")],
    },
    Case {
        command: "insert",
        write: |db| {
            Box::pin(async move {
                let people = [person(4, "Eva", "no"), person(5, "EVA", "no")];
                Person::insert_many(&db, &people).await.map(|_| 2)
            })
        },
        names: &[(1, "Kare", "Oslo"), (2, "KARE", "Oslo"), (3, "Ola", "Oslo"), (4, "Eva", "Oslo"), (5, "EVA", "Oslo")],
    },
    Case {
        command: "update",
        write: |db| {
            Box::pin(async move {
                let update = Person::update_many(by_name()).set(Person::F.town, "Bergen");
                update.execute(&db).await.map(|outcome| outcome.matched)
            })
        },
        names: &[(1, "Kare", "Bergen"), (2, "KARE", "Bergen"), (3, "Ola", "Oslo")],
    },
    Case {
        command: "update",
        write: |db| {
            Box::pin(async move {
                let update = Person::update_by_id(2).set(Person::F.town, "Bergen").only_if(by_name());
                update.execute(&db).await.map(|outcome| outcome.matched)
            })
        },
        names: &[(1, "Kare", "Oslo"), (2, "KARE", "Bergen"), (3, "Ola", "Oslo")],
    },
    Case {
        command: "update",
        write: |db| Box::pin(async move { Person::replace(&db, &person(3, "KARE", "no")).await.map(|_| 1) }),
        names: &[(1, "Kare", "Oslo"), (2, "KARE", "Oslo"), (3, "KARE", "Oslo")],
    },
    Case {
        command: "delete",
        write: |db| Box::pin(async move { Person::delete_many(&db, by_name()).await }),
        names: &[(3, "Ola", "Oslo")],
    },
    Case {
        command: "findAndModify",
        write: |db| {
            Box::pin(async move {
                let found = Person::find_one_and_delete(by_name()).sort([Person::F.id.desc()]).fetch(&db).await;
                found.map(|found| found.map_or(0, |_| 1))
            })
        },
        names: &[(1, "Kare", "Oslo"), (3, "Ola", "Oslo")],
    },
    Case {
        command: "update",
        write: |db| {
            Box::pin(async move {
                let bulk = Person::bulk().update(Person::update_many(by_name()).set(Person::F.town, "Bergen"));
                let report = bulk.execute(&db).await?;
                let matched = report.counts.matched;
                report.complete().map(|_| matched)
            })
        },
        names: &[(1, "Kare", "Bergen"), (2, "KARE", "Bergen"), (3, "Ola", "Oslo")],
    },
    Case {
        command: "update",
        write: |db| Box::pin(async move { Person::upsert(&db, &person(3, "Eva", "no")).await.map(|_| 1) }),
        names: &[(1, "Kare", "Oslo"), (2, "KARE", "Oslo"), (3, "Eva", "Oslo")],
    },
    Case {
        command: "insert",
        write: |db| Box::pin(async move { Person::upsert(&db, &person(4, "Eva", "no")).await.map(|_| 1) }),
        names: &[(1, "Kare", "Oslo"), (2, "KARE", "Oslo"), (3, "Ola", "Oslo"), (4, "Eva", "Oslo")],
    },
];

async fn people(db: &Database) -> Vec<(i64, String, String)> {
    let all = Person::find(Filter::all()).sort(Person::F.id.asc()).fetch_all(db).await.expect("read");
    all.into_iter().map(|person| (person.id, person.name, person.town)).collect()
}

fn expected(people: &[(i64, &str, &str)]) -> Vec<(i64, String, String)> {
    people.iter().map(|(id, name, town)| (*id, (*name).to_owned(), (*town).to_owned())).collect()
}

async fn prepared() -> Database {
    let db = database().await;
    applied(SCHEMA, &db).await;
    for (id, name) in [(1, "Kare"), (2, "KARE"), (3, "Ola")] {
        Person::insert(&db, &person(id, name, "no")).await.expect("inserted");
    }
    db
}

#[tokio::test]
async fn a_refused_write_stores_nothing_and_succeeds_when_repeated() {
    for (at, case) in CASES.iter().enumerate() {
        let db = prepared().await;
        let refused = doc! { "failCommands": [case.command], "errorCode": 8 };
        let failure = fail_command(&db, doc! { "times": 1 }, refused).await;
        let error = (case.write)(db.clone()).await;
        failure.clear().await;
        assert!(error.is_err(), "case {at}: {error:?}");
        assert_eq!(people(&db).await, expected(BEFORE), "case {at}: nothing is stored");
        (case.write)(db.clone()).await.unwrap_or_else(|error| panic!("case {at}: {error}"));
        assert_eq!(people(&db).await, expected(case.names), "case {at}");
    }
}

#[tokio::test]
async fn a_lost_connection_is_one_write() {
    for (at, case) in CASES.iter().enumerate() {
        let db = prepared().await;
        let lost = doc! { "failCommands": [case.command], "closeConnection": true };
        let failure = fail_command(&db, doc! { "times": 1 }, lost).await;
        let first = (case.write)(db.clone()).await;
        failure.clear().await;
        // The driver repeats a write of one document; a write of many documents is repeated by the caller.
        if let Err(error) = &first {
            assert!(!matches!(error, Error::DuplicateKey { .. }), "case {at}: {error}");
            assert_eq!(people(&db).await, expected(BEFORE), "case {at}: the command did not arrive");
            (case.write)(db.clone()).await.unwrap_or_else(|error| panic!("case {at}: {error}"));
        }
        assert_eq!(people(&db).await, expected(case.names), "case {at}");
    }
}

/// A repeated insert or upsert meets the unique index, which compares without case.
#[tokio::test]
async fn a_repeated_insert_with_another_case_is_a_duplicate() {
    let db = prepared().await;
    let again = Person { email: "OLA3@X.NO".to_owned(), ..person(9, "Ola", "no") };
    for data in [doc! { "errorCode": 8 }, doc! { "closeConnection": true }] {
        let mut failing = doc! { "failCommands": ["insert"] };
        failing.extend(data);
        let failure = fail_command(&db, doc! { "times": 1 }, failing).await;
        let _first = Person::insert(&db, &again).await;
        failure.clear().await;
        let repeated = Person::insert(&db, &again).await;
        assert!(matches!(repeated, Err(Error::DuplicateKey { .. })), "{repeated:?}");
        assert_eq!(people(&db).await, expected(BEFORE));
    }
}
