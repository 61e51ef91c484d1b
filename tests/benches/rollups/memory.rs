//! The memory of a client that writes all children of a parent, in a separate process.

use std::process::Command;

use schema_runtime::{bson::doc, prelude::*};
use schema_tests::process::peak;

use crate::{
    data::{Book, Data, ONE},
    large::{Act, Large},
    link,
    side::Side,
    table::is_asked,
};

/// The argument of a second process.
const ARGUMENT: &str = "memory-of-a-row";

const FEW: i64 = 100_000;
const MANY: i64 = 1_000_000;
/// The additional memory, in KiB, that a client may take for ten times the children.
const MORE: u64 = 16 * 1_024;

/// # Panics
/// If a parent is wrong afterwards.
pub(crate) async fn run_asked(data: &Data) {
    for (name, act) in
        [("memory of inc of 1,000,000 children", "inc"), ("memory of delete of 1,000,000 children", "delete")]
    {
        if !is_asked(name) {
            continue;
        }
        let few = second(data, act, FEW).await;
        let many = second(data, act, MANY).await;
        let met = if many[0] <= few[0] + MORE { "flat" } else { "not flat" };
        let [few, many] = [few, many].map(|[kib, ms]| format!("{} MiB in {:.1} s", kib / 1_024, ms as f64 / 1_000.0));
        println!("{name}: {many}; 100,000 children: {few}; {met}");
        Large::of_one(Act::Insert, 0).prepare(data, Side::Ours).await;
    }
}

/// Returns the memory that the process took for the write, in KiB, and the time in milliseconds.
async fn second(data: &Data, act: &str, books: i64) -> [u64; 2] {
    Large::of_one(Act::Delete, books).prepare(data, Side::Ours).await;
    let uri = link::local().await;
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command.args([ARGUMENT, uri.as_str(), data.db.name(), act]);
    let output = tokio::task::block_in_place(|| command.output()).expect("the process runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    data.assert_right(Side::Ours).await;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<u64> = text.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    numbers.try_into().expect("two numbers")
}

/// In a second process: writes, prints the memory and the time of the write, and returns true. Returns false in the
/// first process.
pub(crate) async fn is_second() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [argument, uri, name, act] = &arguments[..] else { return false };
    if argument != ARGUMENT {
        return false;
    }
    let db = link::database(uri, name).await;
    db.run_command(doc! { "ping": 1 }).await.expect("a ping");
    let (before, begun) = (peak(), std::time::Instant::now());
    let all = Book::F.shelf.eq(Ref::new(ONE));
    match act.as_str() {
        "inc" => drop(Book::update_many(all).inc(Book::F.pages, 1).execute(&db).await.expect("an update")),
        _ => drop(Book::delete_many(&db, all).await.expect("a delete")),
    }
    println!("{} {}", peak() - before, begun.elapsed().as_millis());
    true
}
