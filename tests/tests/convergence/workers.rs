//! `repair`, `backfill` and `watch` fail or stop at each of their commands, or clients write sources and holders at the command. A second
//! run of each leaves all right.

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, Timestamp, doc},
};
use schema_runtime::{Result, Schema, Throttle, copies::Watcher};
use schema_tests::{
    Fault, Proxy,
    copies::{CardWrite, ItemWrite, Place, SourceWrite, Write, stale},
    scale,
};

use crate::steps::{Steps, runtime};

/// The interference with a worker at a command; `None`: clients write at the command.
const CASES: [Option<Fault>; 6] =
    [Some(Fault::StopBefore), Some(Fault::Refuse), Some(Fault::StopAfter), Some(Fault::Close), Some(Fault::Lose), None];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Worker {
    Repair,
    Backfill,
    Watch,
}

impl Worker {
    /// Runs the worker to its end; a watcher until no copy is stale.
    async fn run(self, schema: Schema, db: &Database, direct: &Database, place: Place) -> Result<()> {
        let throttle = Throttle::new();
        match self {
            Worker::Repair => schema.repair(db, &throttle).await.map(drop),
            Worker::Backfill => schema.backfill(db, &throttle).await.map(drop),
            Worker::Watch => {
                let watcher = Watcher::new().grace(Duration::ZERO);
                let (stop, direct) = (watcher.clone(), direct.clone());
                let all_right = tokio::spawn(async move {
                    let begun = Instant::now();
                    while !stale(&direct, place.range()).await.is_empty() && begun.elapsed() < schema_tests::PATIENCE {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                    stop.stop();
                });
                let ended = schema.watch(db, &watcher).await.map(drop);
                match &ended {
                    Ok(()) => all_right.await.expect("no panic"),
                    // Nobody continues the failed watcher.
                    Err(_) => all_right.abort(),
                }
                ended
            }
        }
    }
}

/// Writes the damage of further programs, of another version of the application and of a clock that was ahead. A watcher sees sources, and
/// holders that get a reference by an insert or an update.
async fn damage(db: &Database, place: Place, worker: Worker) {
    let future = Timestamp { time: u32::MAX - 1, increment: 1 };
    let both = [
        ("tags", 0, doc! { "$set": { "label": format!("{}:raw", place.id(0)) } }),
        ("owners", 1, doc! { "$set": { "count": 77_i64 } }),
        ("cards", 0, doc! { "$set": { "label": "of others", "_f_tag": 5 } }),
    ];
    let seen = [
        ("cards", 1, doc! { "$set": { "tag": place.id(0) } }),
        ("cards", 5, doc! { "$set": { "tag": place.id(1), "label": "?", "count": -1_i64, "text": "" } }),
    ];
    let unseen = [
        ("cards", 1, doc! { "$set": { "label": "ahead", "_v_tag": future } }),
        ("items", 1, doc! { "$set": { "label": "old" }, "$unset": { "_v_owner": "", "_f_owner": "" } }),
        ("items", 0, doc! { "$set": { "backup": null, "backup_label": "left" } }),
    ];
    let more = if worker == Worker::Watch { seen.to_vec() } else { unseen.to_vec() };
    for (collection, number, update) in both.into_iter().chain(more) {
        let of = doc! { "_id": place.id(number) };
        db.collection::<Document>(collection).update_one(of, update).upsert(true).await.expect("the damage");
    }
}

async fn empty(db: &Database) {
    for collection in ["tags", "owners", "items", "cards", "schema_watch"] {
        db.collection::<Document>(collection).delete_many(doc! {}).await.expect("a delete");
    }
}

/// Returns the concurrent writes.
fn others() -> [Write; 5] {
    [
        Write::Tag(0, SourceWrite::Label),
        Write::Owner(1, SourceWrite::Label),
        Write::Card(1, CardWrite::Tag(0)),
        Write::Item(0, ItemWrite::Push(1)),
        Write::Item(2, ItemWrite::Insert(0, 1)),
    ]
}

/// Returns whether the worker reached the command at `at`, and the errors at the end.
async fn case(steps: &Steps, worker: Worker, at: usize, fault: Option<Fault>) -> (bool, String, Vec<Document>) {
    let (place, db) = (Place(1), &steps.db);
    empty(db).await;
    steps.begin(place).await;
    if worker == Worker::Watch {
        // The watcher has begun before: the writes from here on are events.
        worker.run(steps.schema, db, db, place).await.expect("it begins");
    }
    damage(db, place, worker).await;
    let proxy = Proxy::start([(at, fault.unwrap_or(Fault::Hold))]).await;
    let behind = proxy.database(db.name()).await;
    let mut running = Box::pin(worker.run(steps.schema, &behind, db, place));
    let ended = tokio::select! {
        ended = &mut running => format!("{ended:?}"),
        () = proxy.reached() => match fault {
            Some(_) => "stopped".to_owned(),
            None => {
                for write in others() {
                    write.run(place, db).await.expect("a write of others");
                }
                proxy.release();
                format!("{:?}", running.await)
            }
        },
    };
    let is_reached = proxy.names().len() > at;
    let what = format!("{worker:?} with {fault:?} at {at} of {:?}: {ended}", proxy.names());
    // The unfinished work is marked.
    steps.schema.recover(db, &Throttle::new()).await.expect("a recover");
    worker.run(steps.schema, db, db, place).await.expect("it is run again");
    if worker == Worker::Backfill {
        // A backfill leaves holders with a version and all fields unchanged.
        steps.schema.repair(db, &Throttle::new()).await.expect("a repair");
    }
    let mut wrong = steps.wrong_after_recover(place).await;
    if worker != Worker::Watch {
        let left = doc! { "backup": null, "backup_label": { "$ne": null } };
        wrong.extend(db.collection::<Document>("items").find_one(left).await.expect("a read"));
    }
    (is_reached, what, wrong)
}

/// Runs a worker with some of the faults at each of its commands.
fn at_each_command(worker: Worker, fewest: usize) {
    let runtime = runtime();
    let ran = runtime.spawn(async move {
        let steps = Steps::new().await;
        let of_hundred = scale::WORKERS.now() as usize;
        let (mut tried, mut last) = (0, 0);
        let cases = (0..60).flat_map(|at| CASES.map(|fault| (at, fault)));
        for (number, (at, fault)) in (0_usize..).zip(cases) {
            // With few cases, each command has at least a single case.
            if number * 7 % 100 >= of_hundred && (worker == Worker::Watch || number % CASES.len() != at % CASES.len()) {
                continue;
            }
            let (is_reached, what, wrong) = case(&steps, worker, at, fault).await;
            assert!(wrong.is_empty(), "{what}: {wrong:?}");
            if !is_reached {
                break;
            }
            (tried, last) = (tried + 1, at);
        }
        println!("{worker:?}: {tried} were interrupted, the last at its command {last}");
        assert!(last >= fewest, "the last at its command {last}");
    });
    runtime.block_on(ran).expect("see above");
}

#[test]
fn a_repair_fails_stops_or_is_overtaken_at_each_of_its_commands() {
    at_each_command(Worker::Repair, 20);
}

#[test]
fn a_backfill_fails_stops_or_is_overtaken_at_each_of_its_commands() {
    at_each_command(Worker::Backfill, 8);
}

#[test]
fn a_watch_fails_stops_or_is_overtaken_at_each_of_its_commands() {
    at_each_command(Worker::Watch, 8);
}
