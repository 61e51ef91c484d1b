//! Random programs of four clients. In half of the programs no client fails, and all is right without `recover`; in the
//! remaining programs a command of each client fails, or the client stops at the command.

use std::{
    env,
    time::{SystemTime, UNIX_EPOCH},
};

use futures_util::future::join_all;
use schema_runtime::{Error, Throttle, local::Server, prelude::*, schema};
use schema_tests::{
    Fault, Proxy,
    delete_rules::{Group, Host, Message, Note, Owner},
    ends::{Work, begin, is_expected, wrong},
    links::{Author, Book, Person, Task},
    scale,
};

use super::server;
use crate::steps::runtime;

const DATABASE: &str = "ends";
const CLIENTS: u64 = 4;
const WRITES: u64 = 4;
const FAULTS: [Fault; 5] = [Fault::StopBefore, Fault::StopAfter, Fault::Refuse, Fault::Close, Fault::Lose];

#[test]
fn both_ends_of_any_program_agree_and_nothing_dangles() {
    let seed = match env::var("SCHEMA_TESTS_SEED").map(|seed| seed.parse()) {
        Ok(seed) => seed.expect("a number"),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_nanos() as u64,
    };
    eprintln!("SCHEMA_TESTS_SEED={seed}");
    runtime().block_on(async {
        let server = server().await;
        let db = server.database(DATABASE).await.expect("a database");
        let schema = schema![Task, Person, Book, Author, Host, Message, Owner, Note, Group];
        schema.plan(&db).await.expect("a plan").apply(&db).await.expect("it applies");
        let (mut answered, mut refused, mut failed) = (0, 0, 0);
        for program in 0..u64::from(scale::ENDS_PROGRAMS.now()) {
            begin(&db).await.expect("the beginning");
            let seed = seed.wrapping_add(program * 1_000);
            let has_faults = program % 2 == 1;
            let clients = (0..CLIENTS).map(|client| run(&server, seed + client * 100, has_faults));
            let ran = tokio::time::timeout(schema_tests::PATIENCE, join_all(clients)).await;
            let ran = ran.unwrap_or_else(|_| panic!("program {seed} does not end:\n{}", described(seed)));
            for (at, result) in ran.iter().flatten() {
                match result {
                    Ok(()) => answered += 1,
                    Err(error) if is_expected(error) => refused += 1,
                    Err(error) => {
                        failed += 1;
                        assert!(has_faults, "program {seed}: {:?}: {error:?}", Work::of(*at));
                    }
                }
            }
            if !has_faults {
                let found = wrong(&db).await;
                assert!(found.is_empty(), "program {seed}:\n{}\n{}", found.join("\n"), described(seed));
            }
            schema.recover(&db, &Throttle::new()).await.expect("recover");
            let found = wrong(&db).await;
            assert!(found.is_empty(), "program {seed}, after recover:\n{}\n{}", found.join("\n"), described(seed));
        }
        println!("{answered} writes were answered, {refused} refused, {failed} failed");
        assert!(answered > 0 && refused > 0, "the programs write nothing");
    });
}

/// Returns the results of the writes of a client; with a fault, the results until the stop.
async fn run(server: &Server, seed: u64, has_fault: bool) -> Vec<(u64, Result<(), Error>)> {
    let fault = has_fault.then(|| ((seed / 7 % 12) as usize, FAULTS[(seed / 3 % 5) as usize]));
    let proxy = Proxy::before(server.uri(), fault).await;
    let client = proxy.database(DATABASE).await;
    let mut results = Vec::new();
    let writes = async {
        for at in 0..WRITES {
            results.push((seed + at, Work::of(seed + at).run(&client).await));
        }
    };
    tokio::select! {
        () = writes => {}
        () = proxy.reached() => {}
    }
    results
}

fn described(seed: u64) -> String {
    let work = |client: u64| (0..WRITES).map(move |at| format!("{client}: {:?}", Work::of(seed + client * 100 + at)));
    (0..CLIENTS).flat_map(work).collect::<Vec<_>>().join("\n")
}
