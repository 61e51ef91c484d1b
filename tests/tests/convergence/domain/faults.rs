//! Commands of four clients fail at random, by the server's own fail point: an error is returned, or the connection is
//! closed. After `recover` all is right, and every acknowledged write is stored exactly once.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mongodb::{Client, Database, bson::doc, options::ClientOptions};
use schema_tests::{
    domain::{begin, prepare},
    fail_command, scale,
};

use super::{CLIENTS, described, run, wrong_after_recover};
use crate::{client::spread, steps::runtime};

/// The commands that fail: all commands of the crate except small reads.
const COMMANDS: [&str; 8] =
    ["insert", "update", "delete", "findAndModify", "find", "aggregate", "distinct", "commitTransaction"];

/// `None` closes the connection. The errors: not allowed, too long, the server goes, a write conflict.
const ERRORS: [Option<i32>; 6] = [None, Some(13), None, Some(50), Some(91), Some(112)];

/// The number of failures in a program.
const FAIL_POINTS: u64 = 25;

/// Returns numbers that look random, different in each run.
fn numbers(round: u32) -> impl Iterator<Item = u64> {
    let begin = (spread(round) * 1e15) as u64;
    (0..).map(move |at: u64| {
        (begin ^ at).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    })
}

/// Makes commands fail until the clients are done, and returns the number of failures.
async fn sabotage(db: Database, round: u32, done: Arc<AtomicBool>) -> u64 {
    let mut switched = 0;
    let mut numbers = numbers(round).skip(1_000).map(|number| (number >> 17) as usize);
    // A client with a closed connection waits for half a second.
    while !done.load(Ordering::Relaxed) && switched < FAIL_POINTS {
        let [which, error, times, pause] = std::array::from_fn(|_| numbers.next().unwrap_or_default());
        let mut data = doc! { "failCommands": [COMMANDS[which % COMMANDS.len()]] };
        match ERRORS[error % ERRORS.len()] {
            None => data.insert("closeConnection", true),
            Some(code) => data.insert("errorCode", code),
        };
        let point = fail_command(&db, doc! { "times": 1 + (times % 3) as i32 }, data).await;
        tokio::time::sleep(Duration::from_millis(5 + (pause % 25) as u64)).await;
        point.clear().await;
        switched += 1;
        tokio::time::sleep(Duration::from_millis((pause % 40) as u64)).await;
    }
    switched
}

#[test]
fn the_domain_converges_while_commands_fail() {
    let runtime = runtime();
    let ran = runtime.spawn(async {
        // The clients have the name of the database, and their commands fail; the judge has no name, and its commands
        // do not fail.
        let (server, name) = (schema_tests::server().await, schema_tests::database().await.name().to_owned());
        let db = server.database(&name).await.expect("a client");
        let mut options = ClientOptions::parse(server.uri()).await.expect("a connection string");
        options.app_name = Some(name.clone());
        let clients: Vec<Database> =
            (0..CLIENTS).map(|_| Client::with_options(options.clone()).expect("a client").database(&name)).collect();
        prepare(&db).await;
        let (mut errors, mut points, mut acknowledged) = (0, 0, 0);
        for round in 0..scale::DOMAIN_FAULTS.now() {
            let mut ledger = begin(&db).await.expect("the beginning");
            let mut numbers = numbers(round);
            let program: Vec<Vec<u64>> = (0..CLIENTS).map(|_| numbers.by_ref().take(6).collect()).collect();
            let done = Arc::new(AtomicBool::new(false));
            let saboteur = tokio::spawn(sabotage(db.clone(), round, Arc::clone(&done)));
            let (told_by, failed) = run(&clients, &program).await;
            done.store(true, Ordering::Relaxed);
            points += saboteur.await.expect("no panic");
            ledger.join(told_by);
            errors += failed.len();
            acknowledged += ledger.acknowledged;
            let found = wrong_after_recover(&db, &ledger).await;
            let failed: Vec<String> = failed.iter().map(|(work, error)| format!("{work:?}: {error:?}")).collect();
            assert!(
                found.is_empty(),
                "round {round}:\n{}\n{}\n{}\nnumbers {program:?}",
                described(&program),
                failed.join("\n"),
                found.join("\n")
            );
        }
        println!("{points} fail points, {errors} writes failed, {acknowledged} were acknowledged");
        assert!(errors > 0 && acknowledged > 0, "{errors} writes failed, {acknowledged} were acknowledged");
    });
    runtime.block_on(ran).expect("see above");
}
