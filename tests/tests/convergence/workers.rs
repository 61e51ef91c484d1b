//! `repair`, `backfill` and a worker fail or stop at each of their commands, or clients write sources and holders at
//! the command. A second run of each leaves all right.

use std::time::{Duration, Instant};

use mongodb::{
    Database,
    bson::{Document, Timestamp, doc},
};
use schema_runtime::{Result, Schema, Throttle};
use schema_tests::{
    Fault, Proxy,
    copies::{CardWrite, ItemWrite, Place, SourceWrite, Write, stale},
    has_position, scale,
};

use crate::steps::{Steps, runtime};

/// The interference with a job at a command; `None`: clients write at the command.
const CASES: [Option<Fault>; 6] =
    [Some(Fault::StopBefore), Some(Fault::Refuse), Some(Fault::StopAfter), Some(Fault::Close), Some(Fault::Lose), None];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Job {
    Repair,
    Backfill,
    Worker,
}

impl Job {
    /// Runs the job to its end; a worker until no copy is stale and the position of the stream is stored.
    async fn run(self, schema: Schema, db: &Database, direct: &Database, place: Place) -> Result<()> {
        let throttle = Throttle::new();
        match self {
            Job::Repair => schema.repair(db, &throttle).await.map(drop),
            Job::Backfill => schema.backfill(db, &throttle).await.map(drop),
            Job::Worker => {
                let worker = schema.worker(db).watch_all_copies().grace(Duration::ZERO);
                let all_right = async || {
                    let begun = Instant::now();
                    while begun.elapsed() < schema_tests::PATIENCE {
                        if stale(direct, place.range()).await.is_empty() && has_position(direct).await {
                            break;
                        }
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                };
                worker.run_until(all_right()).await.map(drop)
            }
        }
    }
}

/// Writes the damage of further programs, of another version of the application and of a clock that was ahead. A worker
/// sees sources, and holders that get a reference by an insert or an update.
async fn damage(db: &Database, place: Place, job: Job) {
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
    let more = if job == Job::Worker { seen.to_vec() } else { unseen.to_vec() };
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

/// Returns whether the job reached the command at `at`, and the errors at the end.
async fn case(steps: &Steps, job: Job, at: usize, fault: Option<Fault>) -> (bool, String, Vec<Document>) {
    let (place, db) = (Place(1), &steps.db);
    empty(db).await;
    steps.begin(place).await;
    if job == Job::Worker {
        // The worker has begun before: the writes from here on are events.
        job.run(steps.schema, db, db, place).await.expect("it begins");
    }
    damage(db, place, job).await;
    let proxy = Proxy::start([(at, fault.unwrap_or(Fault::Hold))]).await;
    let behind = proxy.database(db.name()).await;
    let mut running = Box::pin(job.run(steps.schema, &behind, db, place));
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
    let what = format!("{job:?} with {fault:?} at {at} of {:?}: {ended}", proxy.names());
    // The unfinished work is marked.
    steps.schema.recover(db, &Throttle::new()).await.expect("a recover");
    job.run(steps.schema, db, db, place).await.expect("it is run again");
    if job == Job::Backfill {
        // A backfill leaves holders with a version and all fields unchanged.
        steps.schema.repair(db, &Throttle::new()).await.expect("a repair");
    }
    let mut wrong = steps.wrong_after_recover(place).await;
    if job != Job::Worker {
        let left = doc! { "backup": null, "backup_label": { "$ne": null } };
        wrong.extend(db.collection::<Document>("items").find_one(left).await.expect("a read"));
    }
    (is_reached, what, wrong)
}

/// Runs a job with some of the faults at each of its commands.
fn at_each_command(job: Job, fewest: usize) {
    let runtime = runtime();
    let ran = runtime.spawn(async move {
        let steps = Steps::new().await;
        let of_hundred = scale::WORKERS.now() as usize;
        let (mut tried, mut last) = (0, 0);
        let cases = (0..60).flat_map(|at| CASES.map(|fault| (at, fault)));
        for (number, (at, fault)) in (0_usize..).zip(cases) {
            // With few cases, each command has at least a single case.
            if number * 7 % 100 >= of_hundred && (job == Job::Worker || number % CASES.len() != at % CASES.len()) {
                continue;
            }
            let (is_reached, what, wrong) = case(&steps, job, at, fault).await;
            assert!(wrong.is_empty(), "{what}: {wrong:?}");
            if !is_reached {
                break;
            }
            (tried, last) = (tried + 1, at);
        }
        println!("{job:?}: {tried} were interrupted, the last at its command {last}");
        assert!(last >= fewest, "the last at its command {last}");
    });
    runtime.block_on(ran).expect("see above");
}

#[test]
fn a_repair_fails_stops_or_is_overtaken_at_each_of_its_commands() {
    at_each_command(Job::Repair, 20);
}

#[test]
fn a_backfill_fails_stops_or_is_overtaken_at_each_of_its_commands() {
    at_each_command(Job::Backfill, 8);
}

#[test]
fn a_worker_fails_stops_or_is_overtaken_at_each_of_its_commands() {
    at_each_command(Job::Worker, 8);
}
