//! A test that runs again in a second process: what memory a process takes is known of the whole process only.

use std::{env, fs, process::Command};

use mongodb::{Client, Database};
use schema_runtime::embedded::Server;

const DATABASE: &str = "SCHEMA_TESTS_SECOND_DATABASE";
const URI: &str = "SCHEMA_TESTS_SECOND_URI";

/// In the second process, the database that the first one has prepared.
pub async fn prepared() -> Option<Database> {
    let name = env::var(DATABASE).ok()?;
    let uri = env::var(URI).expect("the server of the first process");
    Some(Client::with_uri_str(uri).await.expect("a client").database(&name))
}

/// A server for one test, and a database of it: what a test writes by the million, change streams of other tests would have to read past.
///
/// # Panics
/// Where it does not start.
pub async fn alone() -> (Server, Database) {
    let server = Server::builder().own(true).cache_gigabytes(0.5).start().await.expect("a server");
    let db = server.database("alone").await.expect("a database");
    (server, db)
}

/// Runs this test of this binary in a second process, on a database of this server that is prepared, and prints what it says.
///
/// # Panics
/// When it fails there, or there is no such test.
pub async fn run_again(test: &str, (server, db): &(Server, Database)) {
    let output = Command::new(env::current_exe().expect("this binary"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(DATABASE, db.name())
        .env(URI, server.uri())
        .output()
        .expect("the second process starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    println!("{text}");
}

/// The most memory that this process has ever held, in KiB.
///
/// # Panics
/// Where there is no `/proc`.
pub fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the status of this process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    peak.trim().trim_end_matches(" kB").parse().expect("a number")
}
