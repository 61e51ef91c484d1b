//! Concurrent inserts of a collection share transactions, and each insert has a separate outcome.

use futures_util::future::join_all;
use schema_runtime::{Error, finish_writes, prelude::*, schema};
use schema_tests::{
    database, database_with_log,
    rollups::{Counter, Host, LogMsg, all, assert_nothing_left, assert_right, counter, host, message},
};

async fn prepare(db: &Database) {
    schema![Host, LogMsg, Counter].plan(db).await.unwrap().apply(db).await.unwrap();
    Host::insert_many(db, &[host(1), host(2)]).await.unwrap();
    Counter::insert(db, &counter(1)).await.unwrap();
}

async fn insert(db: &Database, message: LogMsg) -> Result<()> {
    LogMsg::insert(db, &message).await
}

#[tokio::test]
async fn many_inserts_are_few_transactions() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    finish_writes(&db).await;
    log.clear();
    for inserted in join_all((0..200).map(|id| insert(&db, message(id, 1 + id % 2)))).await {
        inserted.unwrap();
    }
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 4, "{commits} transactions for 200 inserts");
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// Callers that send a write after each answer share each transaction: a lane waits a moment for callers with an
/// answer.
#[tokio::test]
async fn callers_that_come_again_stay_together() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    finish_writes(&db).await;
    log.clear();
    let caller = async |caller: i64| {
        for at in 0..20 {
            insert(&db, message(20 * caller + at, 1)).await.unwrap();
        }
    };
    join_all((0..8).map(caller)).await;
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 30, "{commits} transactions for 20 inserts of each of 8 callers");
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// A lone insert is sent at once, in a separate transaction.
#[tokio::test]
async fn an_insert_that_is_alone() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    finish_writes(&db).await;
    log.clear();
    insert(&db, message(1, 1)).await.unwrap();
    insert(&db, message(2, 1)).await.unwrap();
    assert_eq!(log.named("commitTransaction").len(), 2);
}

#[tokio::test]
async fn each_has_its_own_error() {
    let db = database().await;
    prepare(&db).await;
    insert(&db, message(7, 1)).await.unwrap();
    let one_of = |id: i64| match id {
        // Host 99 does not exist.
        3 | 12 => message(id, 99),
        id => message(id, 1),
    };
    let outcomes = join_all((0..20).map(|id| insert(&db, one_of(id)))).await;
    for (id, outcome) in (0_i64..).zip(outcomes) {
        match (id, outcome) {
            (3 | 12, Err(Error::DanglingReference { holder, .. })) => assert_eq!(*holder, id.into()),
            (7, Err(Error::DuplicateKey { .. })) => {}
            (_, outcome) => outcome.unwrap_or_else(|error| panic!("{id}: {error:?}")),
        }
    }
    assert_eq!(all(&db, "logmsg").await.len(), 18);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// `create` gives each value the stored document.
#[tokio::test]
async fn each_gets_its_own_document() {
    let db = database().await;
    schema![Host, LogMsg, Counter].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let create = async |id: i64| {
        let mut host = host(id);
        Host::create(&db, &mut host).await.unwrap();
        host
    };
    for (id, created) in (0..).zip(join_all((0..30).map(create)).await) {
        assert_eq!((created.id, created.messages, created.recent.len()), (id, 0, 0));
        assert_eq!(created.name, format!("host {id}"));
    }
}

/// Successive writes of a caller stay in their order, beside writes of more callers.
#[tokio::test]
async fn the_order_of_one_caller_is_kept() {
    let db = database().await;
    prepare(&db).await;
    let caller = async |caller: i64| {
        for at in 0..10 {
            let id = caller * 10 + at;
            insert(&db, message(id, 1)).await.unwrap();
            assert!(LogMsg::find_by_id(&db, id).await.unwrap().is_some(), "{id}");
            LogMsg::update_by_id(id).set(LogMsg::F.bytes, 5).execute(&db).await.unwrap();
            assert!(LogMsg::delete_by_id(&db, id).await.unwrap(), "{id}");
            insert(&db, message(id, 2)).await.unwrap();
        }
    };
    join_all((0..8).map(caller)).await;
    // In a conflict with updates, inserts may have left differences.
    finish_writes(&db).await;
    assert_eq!(Host::get_by_id(&db, 2).await.unwrap().messages, 80);
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}

/// A runtime ends while the runtime leads a lane: the second runtime sends the waiting inserts of the second runtime.
#[test]
fn another_runtime_goes_on() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (first, second) = (runtime(), runtime());
    let db = second.block_on(async {
        let db = database().await;
        prepare(&db).await;
        db
    });
    for id in 0..40 {
        let db = db.clone();
        first.spawn(async move { insert(&db, message(id, 1)).await });
    }
    let others: Vec<_> = (100..140)
        .map(|id| {
            let db = db.clone();
            second.spawn(async move { insert(&db, message(id, 1)).await })
        })
        .collect();
    first.shutdown_background();
    second.block_on(async {
        for other in others {
            match other.await.unwrap() {
                Ok(()) => {}
                // The insert was in progress together with inserts of the ended runtime.
                Err(error) => assert!(matches!(error, Error::Driver(_) | Error::Connection { .. }), "{error:?}"),
            }
        }
        schema_tests::end_transactions(&db).await;
        assert_eq!(LogMsg::insert(&db, &message(200, 1)).await.map_err(|error| error.to_string()), Ok(()));
        assert_right(&db).await;
    });
}

/// A caller that gives up leaves an insert that is whole or absent, and hinders nobody.
#[tokio::test]
async fn callers_that_hang_up() {
    let db = database().await;
    prepare(&db).await;
    let waits = |id: i64| {
        let db = db.clone();
        tokio::time::timeout(std::time::Duration::from_micros(id as u64 * 200), async move {
            insert(&db, message(id, 1)).await
        })
    };
    let outcomes = join_all((0..60).map(waits)).await;
    assert!(outcomes.iter().any(Result::is_err), "some hang up");
    insert(&db, message(100, 1)).await.unwrap();
    finish_writes(&db).await;
    assert_right(&db).await;
    assert_nothing_left(&db).await;
}
