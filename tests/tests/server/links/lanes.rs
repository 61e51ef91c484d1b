//! Concurrent updates and deletes by `_id` of documents with links share transactions.

use futures_util::future::join_all;
use schema_runtime::{Error, finish_writes, prelude::*, transaction};
use schema_tests::database_with_log;
use tokio::sync::Barrier;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parcels")]
struct Parcel {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = parcels)]
    van: Option<Ref<Van>>,
    note: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "vans")]
struct Van {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
    #[relation(one_to_many, two_way, of = Parcel::van, max = 200)]
    parcels: Vec<Ref<Parcel>>,
}

async fn prepare(db: &Database) {
    Van::insert_many(db, (1..=3).map(|id| Van { id, name: String::new(), parcels: Vec::new() })).await.unwrap();
    let parcel = |id: i64| Parcel { id, van: Some(Ref::new(1)), note: String::new() };
    Parcel::insert_many(db, (0..60).map(parcel)).await.unwrap();
}

/// Returns an update that moves a parcel to a van.
macro_rules! to {
    ($id:expr, $van:expr) => {
        Parcel::update_by_id($id).set(Parcel::F.van, Some(Ref::new($van)))
    };
}

/// Checks that both ends agree.
async fn assert_linked(db: &Database) {
    finish_writes(db).await;
    for van in 1..=3 {
        let filter = Parcel::F.van.eq(Some(Ref::new(van)));
        let mut parcels: Vec<Parcel> = Parcel::find(filter).fetch_all(db).await.unwrap();
        let mut held = Van::get_by_id(db, van).await.unwrap().parcels;
        parcels.sort_by_key(|parcel| parcel.id);
        held.sort_by_key(|parcel| *parcel.id());
        let parcels: Vec<i64> = parcels.iter().map(|parcel| parcel.id).collect();
        assert_eq!(held.iter().map(|parcel| *parcel.id()).collect::<Vec<i64>>(), parcels, "van {van}");
    }
}

#[tokio::test]
async fn many_updates_are_few_transactions() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    log.clear();
    let moved = join_all((0..60).map(async |id| to!(id, 2 + id % 2).execute(&db).await.unwrap())).await;
    assert!(moved.iter().all(|moved| (moved.matched, moved.modified) == (1, 1)));
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 6, "{commits} transactions for 60 updates");
    assert_linked(&db).await;
    log.clear();
    let deleted = join_all((0..50).map(|id| Parcel::delete_by_id(&db, id))).await;
    assert!(deleted.into_iter().all(|deleted| deleted.unwrap()));
    let commits = log.named("commitTransaction").len();
    assert!(commits <= 6, "{commits} transactions for 50 deletes");
    assert_linked(&db).await;
}

#[tokio::test]
async fn each_has_its_own_error() {
    let (db, _) = database_with_log().await;
    prepare(&db).await;
    let outcomes =
        join_all((0..30).map(async |id| to!(id, if id % 10 == 4 { 77 } else { 2 }).execute(&db).await)).await;
    for (id, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Err(Error::DanglingReference { .. }) => assert_eq!(id % 10, 4),
            outcome => assert_eq!(outcome.unwrap().modified, 1),
        }
    }
    assert_linked(&db).await;
}

/// A transaction of the user holds a van. Updates of parcels of further vans do not wait for updates that concern the
/// van.
#[tokio::test]
async fn a_lane_goes_on_beside_conflicts() {
    let (db, _) = database_with_log().await;
    prepare(&db).await;
    let (held, done) = (&Barrier::new(2), &Barrier::new(2));
    let holder = transaction(&db, |tx| async move {
        Van::update_by_id(3).set(Van::F.name, "held").execute(&tx).await?;
        held.wait().await;
        done.wait().await;
        Ok::<_, Error>(())
    });
    let others = async {
        held.wait().await;
        let waiting = (0..5).map(|id| {
            let db = db.clone();
            tokio::spawn(async move { to!(id, 3).execute(&db).await })
        });
        let waiting: Vec<_> = waiting.collect();
        tokio::task::yield_now().await;
        let moved = join_all((10..30).map(async |id| to!(id, 2).execute(&db).await)).await;
        assert!(moved.into_iter().all(|moved| moved.unwrap().modified == 1));
        done.wait().await;
        for moved in waiting {
            assert_eq!(moved.await.unwrap().unwrap().modified, 1);
        }
    };
    let (holder, ()) = tokio::join!(holder, others);
    holder.unwrap();
    assert_linked(&db).await;
}

/// Updates of several documents in a bulk share a transaction.
#[tokio::test]
async fn a_bulk_of_updates_is_few_commands() {
    let (db, log) = database_with_log().await;
    prepare(&db).await;
    log.clear();
    let bulk = (0..60).fold(Parcel::bulk(), |bulk, id| bulk.update(to!(id, 2 + id % 2)));
    assert_eq!(bulk.execute(&db).await.unwrap().complete().unwrap().modified, 60);
    assert!(log.commands().len() < 12, "{:?}", log.commands().iter().map(|(name, _)| name).collect::<Vec<_>>());
    assert_linked(&db).await;
}
