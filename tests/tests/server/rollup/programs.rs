//! Random programs of four clients, against an independent aggregation.

use mongodb::Database;
use proptest::{
    prelude::{Strategy, any},
    prop_oneof,
    strategy::Just,
    test_runner::{Config, TestRunner},
};
use schema_runtime::{Error, Result, Throttle, prelude::*, schema};
use schema_tests::{
    database,
    rollups::{Counter, Host, LogMsg, assert_nothing_left, assert_right, counter, host, message},
    scale,
};

/// A step of a client. The ids are few: clients meet at the same documents.
#[derive(Clone, Debug)]
enum Step {
    Insert(i64, i64),
    InsertMany(i64, i64),
    Change(i64, i32),
    Move(i64, i64),
    MoveMany(i64, i64),
    Save(i64, i64, i32),
    Upsert(i64, i64),
    Delete(i64),
    DeleteMany(i64),
    Bear(i64),
    Recompute(i64),
    Recover,
}

fn step() -> impl Strategy<Value = Step> {
    let (id, host) = (1_i64..7, 1_i64..4);
    prop_oneof![
        4 => (id.clone(), host.clone()).prop_map(|(id, host)| Step::Insert(id, host)),
        1 => (id.clone(), host.clone()).prop_map(|(id, host)| Step::InsertMany(id, host)),
        2 => (id.clone(), any::<u8>()).prop_map(|(id, bytes)| Step::Change(id, i32::from(bytes))),
        2 => (id.clone(), host.clone()).prop_map(|(id, host)| Step::Move(id, host)),
        1 => (id.clone(), host.clone()).prop_map(|(id, host)| Step::MoveMany(id, host)),
        1 => (id.clone(), host.clone(), any::<u8>()).prop_map(|(id, host, bytes)| Step::Save(id, host, i32::from(bytes))),
        1 => (id.clone(), host.clone()).prop_map(|(id, host)| Step::Upsert(id, host)),
        2 => id.clone().prop_map(Step::Delete),
        1 => id.prop_map(Step::DeleteMany),
        1 => host.clone().prop_map(Step::Bear),
        1 => host.prop_map(Step::Recompute),
        1 => Just(Step::Recover),
    ]
}

async fn run(db: &Database, step: &Step) -> Result<()> {
    match *step {
        Step::Insert(id, host) => {
            let counter = (id % 2 == 0).then(|| Ref::new(1));
            LogMsg::insert(db, &LogMsg { counter, ..message(id, host) }).await
        }
        Step::InsertMany(id, host) => LogMsg::insert_many(db, &[message(id + 10, host), message(id, 1)]).await,
        Step::Change(id, bytes) => LogMsg::update_by_id(id).set(LogMsg::F.bytes, bytes).execute(db).await.map(drop),
        Step::Move(id, host) => {
            LogMsg::update_by_id(id).set(LogMsg::F.host, Ref::new(host)).execute(db).await.map(drop)
        }
        Step::MoveMany(id, host) => {
            LogMsg::update_many(LogMsg::F.id.lt(id)).set(LogMsg::F.host, Ref::new(host)).execute(db).await.map(drop)
        }
        Step::Save(id, host, bytes) => LogMsg::save(db, &mut LogMsg { bytes, ..message(id, host) }).await,
        Step::Upsert(id, host) => {
            let LogMsg { time, text, bytes, read, .. } = message(id, host);
            let update = LogMsg::update_by_id(id).set(LogMsg::F.host, Ref::new(host)).set(LogMsg::F.time, time);
            let update = update.set(LogMsg::F.text, text).set(LogMsg::F.bytes, bytes).set(LogMsg::F.read, read);
            update.upsert().execute(db).await.map(drop)
        }
        Step::Delete(id) => LogMsg::delete_by_id(db, &id).await.map(drop),
        Step::DeleteMany(id) => LogMsg::delete_many(db, LogMsg::F.id.gt(id)).await.map(drop),
        Step::Bear(id) => {
            Host::delete_by_id(db, &id).await?;
            Host::insert(db, &host(id)).await
        }
        Step::Recompute(id) => Host::recompute(db, &id).await.map(drop),
        Step::Recover => schema![Host, LogMsg, Counter].recover(db, &Throttle::new()).await.map(drop),
    }
}

/// Returns true for an error that clients may get in a conflict.
fn is_expected(error: &Error) -> bool {
    match error {
        Error::NotFound { .. } | Error::DuplicateKey { .. } | Error::DanglingReference { .. } => true,
        Error::InsertMany { source, .. } => is_expected(source),
        _ => false,
    }
}

async fn program(clients: Vec<Vec<Step>>) {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, &[host(1), host(2), host(3)]).await.unwrap();
    Counter::insert(&db, &counter(1)).await.unwrap();
    let clients: Vec<_> = clients
        .into_iter()
        .map(|steps| {
            let db = db.clone();
            tokio::spawn(async move {
                for step in steps {
                    match run(&db, &step).await {
                        Err(error) if !is_expected(&error) => panic!("{step:?}: {error}"),
                        _ => {}
                    }
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    // No client has stopped in a write: all is right without a recover, and no mark is left.
    assert_right(&db).await;
    assert_nothing_left(&db).await;
    db.drop().await.unwrap();
}

/// A failure prints the program, shrunk.
#[test]
fn random_programs_converge() {
    let programs = scale::ROLLUP_PROGRAMS.now();
    let config = Config { cases: programs, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let clients = proptest::collection::vec(proptest::collection::vec(step(), 1..12), 4);
    let outcome = TestRunner::new(config).run(&clients, |clients| {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| runtime.block_on(program(clients))));
        done.map_err(|_| proptest::test_runner::TestCaseError::fail("not right"))
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}
