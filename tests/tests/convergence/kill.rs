//! The client is killed (SIGKILL) at random points of a propagation in chunks, and while the client inserts holders.
//! Each time, `recover` propagates the leftovers.

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Schema, Throttle, prelude::*};
use schema_tests::{
    copies::{Owner, prepare},
    scale::{self, Scale},
};

use crate::client::{Client, another, spread};

/// The two sources.
const SOURCES: [i64; 2] = [1, 2];

/// Returns the number of holders of each source, and the number of killed propagations to the holders. 100,000 copies
/// are propagated in some seconds: most rounds are with fewer copies.
fn propagations() -> [(i64, u32, Scale); 2] {
    let [one, two] = SOURCES;
    [(one, scale::HOLDERS.now(), scale::LARGE_PROPAGATIONS), (two, 5_000, scale::PROPAGATIONS)]
}

async fn begin(db: &Database) -> Schema {
    let schema = prepare(db).await;
    let owner = |id| Owner { id, label: format!("{id}:owner"), count: 0, plain: 0 };
    Owner::insert_many(db, SOURCES.map(owner)).await.expect("sources");
    schema
}

/// Makes the holders on the server, without copies of any source.
async fn make_holders(db: &Database) {
    for (id, holders, _) in propagations() {
        let item = doc! {
            "_id": { "$add": ["$n", id * 1_000_000] }, "title": "", "tags": [], "owner": { "$literal": id },
            "label": "", "count": { "$literal": -1_i64 }, "backup": null, "backup_label": null,
        };
        let pipeline = vec![
            doc! { "$documents": [{ "n": { "$range": [0, i64::from(holders)] } }] },
            doc! { "$unwind": "$n" },
            doc! { "$project": item },
            doc! { "$merge": "items" },
        ];
        db.aggregate(pipeline).await.expect("holders");
    }
}

/// Returns the number of stale holders of a source, and the number of documents with marks or in intents.
async fn wrong(db: &Database, id: i64) -> [u64; 3] {
    let (items, owners) = (db.collection::<Document>("items"), db.collection::<Document>("owners"));
    let source = owners.find_one(doc! { "_id": id }).await.expect("a read").expect("the source");
    let same: Document = ["label", "count"]
        .into_iter()
        .filter_map(|field| Some((field.to_owned(), source.get(field)?.clone())))
        .collect();
    let mut same = same;
    same.insert("_v_owner", source.get_timestamp("_v").expect("a version"));
    let stale = items.count_documents(doc! { "owner": id, "$nor": [same] });
    let mut named = 0;
    let mut intents =
        db.collection::<Document>("schema_intents").find(doc! { "holder": "items" }).await.expect("a read");
    while intents.advance().await.expect("a document") {
        let intent = Document::try_from(intents.current()).expect("BSON");
        let ids = intent.get_array("ids").expect("ids").clone();
        named += items.count_documents(doc! { "_id": { "$in": ids } }).await.expect("a count");
    }
    let mark = |field: &str| doc! { format!("{field}_items_owner"): { "$exists": true } };
    [
        stale.await.expect("a count"),
        named + items.count_documents(mark("_look")).await.expect("a count"),
        owners.count_documents(mark("_sync")).await.expect("a count"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_propagates() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    let schema = begin(&db).await;
    make_holders(&db).await;
    for (id, holders, rounds) in propagations() {
        let begun = Instant::now();
        let whole = Client::start(&db, &uri, "propagate", id);
        let started = begun.elapsed();
        let said = whole.wait();
        let whole = begun.elapsed() - started;
        assert_eq!((&*said, wrong(&db, id).await), ("done\n", [0; 3]), "a whole propagation");
        let (mut left_behind, mut round) = (0, 0);
        while another(round, rounds, left_behind) {
            let before = Owner::get_by_id(&db, &id).await.expect("the source").count;
            let said = Client::start(&db, &uri, "propagate", id).kill_after(whole.mul_f64(spread(round)));
            let [stale, _, marked] = wrong(&db, id).await;
            left_behind += u64::from(stale > 0);
            assert!(stale == 0 || marked == 1, "round {round}: {stale} copies are stale, and nothing tells");
            assert!(!said.contains("done") || stale == 0, "round {round}: {stale} copies are stale, and it was done");
            schema.recover(&db, &Throttle::new()).await.expect("recover");
            assert_eq!(wrong(&db, id).await, [0; 3], "round {round}");
            let after = Owner::get_by_id(&db, &id).await.expect("the source").count;
            assert!((0..=1).contains(&(after - before)), "round {round}: from {before} to {after}");
            round += 1;
        }
        println!("{holders} copies in {whole:?}: {left_behind} of {round} kills left stale ones");
        assert!(left_behind > 0, "no kill came in the middle");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_is_killed_while_it_inserts_holders() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    let schema = begin(&db).await;
    let (mut left_behind, mut round) = (0, 0);
    while another(round, scale::INSERTERS, left_behind) {
        let writer = Client::start(&db, &uri, "insert", i64::from(round + 1) * 10_000);
        let killed = tokio::task::spawn_blocking(move || {
            writer.kill_after(Duration::from_millis(50) + Duration::from_millis(400).mul_f64(spread(round)))
        });
        // The sources change all the time.
        while !killed.is_finished() {
            for id in SOURCES {
                Box::pin(Owner::update_by_id(id).inc(Owner::F.count, 1).execute(&db)).await.expect("a write");
            }
        }
        let said = killed.await.expect("no panic");
        let [stale, marked, _] = wrong(&db, 1).await;
        left_behind += marked;
        assert!(stale <= marked, "round {round}: {stale} copies are stale, and {marked} marks tell");
        schema.recover(&db, &Throttle::new()).await.expect("recover");
        for id in SOURCES {
            assert_eq!(wrong(&db, id).await, [0; 3], "round {round}");
        }
        let items = db.collection::<Document>("items");
        for id in said.lines() {
            let id: i64 = id.parse().expect("an `_id`");
            assert_eq!(items.count_documents(doc! { "_id": id }).await.expect("a count"), 1, "{id} was inserted");
        }
        round += 1;
    }
    println!("{left_behind} marks were left by {round} inserters");
    assert!(left_behind > 0, "no kill came in the middle");
}
