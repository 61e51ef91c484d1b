//! A test that runs again in a second process: the memory use is known for a whole process only.

use std::{env, fs, process::Command};

use mongodb::{Client, Database};
use schema_runtime::local::Server;

const DATABASE: &str = "SCHEMA_TESTS_SECOND_DATABASE";
const URI: &str = "SCHEMA_TESTS_SECOND_URI";

/// Returns, in the second process, the database that the first process has prepared.
pub async fn prepared() -> Option<Database> {
    let name = env::var(DATABASE).ok()?;
    let uri = env::var(URI).expect("the server of the first process");
    Some(Client::with_uri_str(uri).await.expect("a client").database(&name))
}

/// Starts a server for a single test, and returns the server and a database. A shared server would make the change
/// streams of the remaining tests read the millions of writes of this test.
///
/// # Panics
/// If the server does not start.
pub async fn alone() -> (Server, Database) {
    let server = Server::builder().own(true).cache_gigabytes(0.5).start().await.expect("a server");
    let db = server.database("alone").await.expect("a database");
    (server, db)
}

/// Runs this test of this binary in a second process, on a prepared database of this server, and prints the output of
/// the second process.
///
/// # Panics
/// If the test fails in the second process, or no test has this name.
pub async fn run_again(test: &str, (server, db): &(Server, Database)) {
    let output = again(test, server.uri(), db).output().expect("the second process starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    println!("{text}");
}

/// Returns the command of a second process that runs this test of this binary on a prepared database.
///
/// # Panics
/// If the path of this binary is unknown.
pub fn again(test: &str, uri: &str, db: &Database) -> Command {
    let mut command = Command::new(env::current_exe().expect("this binary"));
    let arguments = ["--exact", test, "--nocapture", "--test-threads=1"];
    command.args(arguments).env(DATABASE, db.name()).env(URI, uri);
    command
}

/// Returns the most memory that this process has ever held, in KiB.
///
/// # Panics
/// If the system has no `/proc`.
pub fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the status of this process");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    peak.trim().trim_end_matches(" kB").parse().expect("a number")
}
