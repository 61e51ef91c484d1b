//! Two clients that write the domain are killed (SIGKILL), and a `recover` after the clients is killed too. The next
//! `recover` leaves all right, and the answers to the clients are true.

use std::time::Duration;

use schema_tests::{
    domain::{Ledger, Work, begin, left_behind, prepare},
    scale,
};

use super::wrong_after_recover;
use crate::client::{Client, another, settled, spread};

/// Adds the output of a killed client to the ledger, and returns the number of answers.
fn take_in(ledger: &mut Ledger, said: &str) -> usize {
    let (mut begun, mut ended) = (None, 0);
    for line in said.lines() {
        if let Some(number) = line.strip_prefix("begins ") {
            begun = number.parse().ok();
        } else if let Some(answered) = line.strip_prefix("ended ") {
            ledger.read(answered);
            begun = None;
            ended += 1;
        } else {
            panic!("{line}");
        }
    }
    if let Some(number) = begun {
        ledger.join(Work::of(number).unknown());
    }
    ended
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_write_the_domain_are_killed() {
    let (db, uri) = (schema_tests::database().await, schema_tests::server().await.uri().to_owned());
    prepare(&db).await;
    let (mut left, mut written, mut round) = (0, 0, 0);
    while another(round, scale::DOMAIN_KILLS, left) {
        let mut ledger = begin(&db).await.expect("the beginning");
        let number = (spread(round) * 1e9) as i64;
        let clients = [0, 1].map(|of| Client::start(&db, &uri, "domain", number + of));
        let killed: Vec<_> = (0..)
            .zip(clients)
            .map(|(of, client)| {
                let time = Duration::from_millis(100) + Duration::from_millis(1_200).mul_f64(spread(2 * round + of));
                tokio::task::spawn_blocking(move || client.kill_after(time))
            })
            .collect();
        let mut said = Vec::new();
        for killed in killed {
            said.push(killed.await.expect("no error and no panic"));
        }
        said.iter().for_each(|said| written += take_in(&mut ledger, said));
        // Without this call, the server ends the open transactions of the clients a minute later.
        left += settled(&db).await as u64 + left_behind(&db).await.len() as u64;
        let recovering = Client::start(&db, &uri, "recover", 0);
        let time = Duration::from_millis(200).mul_f64(spread(round + 3));
        tokio::task::spawn_blocking(move || recovering.kill_after(time)).await.expect("no error and no panic");
        settled(&db).await;
        let found = wrong_after_recover(&db, &ledger).await;
        let works = said.iter().flat_map(|said| said.lines()).filter_map(|line| line.strip_prefix("begins "));
        let works: Vec<String> = works.map(|work| format!("{:?}", Work::of(work.parse().expect("a number")))).collect();
        assert!(found.is_empty(), "round {round}, from {number}:\n{}\n{}", works.join("\n"), found.join("\n"));
        round += 1;
    }
    println!(
        "{round} kills of two clients and a recover: {written} writes were answered, {left} transactions were open or documents left with marks"
    );
    assert!(left > 0 && written > 0, "no kill came in the middle");
}
