//! The cost of a typed call for the client, compared with the same call of the driver, in instructions: each side runs
//! alone under valgrind's callgrind, with few and with many calls, and the difference is the cost of the calls. The
//! bench needs `valgrind`.
//!
//! `cargo bench -p schema-tests --bench instructions`

mod by_hand;
mod models;
mod ours;

use std::process::Command;

use schema_runtime::prelude::*;

use crate::models::{Article, Part, article};

/// The number of additional calls of the long run.
const CALLS: u64 = 300;
const FEW: u64 = 50;

/// The most that a typed call may cost.
const GOAL: f64 = 1.02;

const OPERATIONS: [&str; 8] = ["insert", "find_one", "find_100", "update", "push", "replace", "delete", "uncopied"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    if let [side, operation, calls, database] = &words[..] {
        runtime.block_on(run(side, operation, calls.parse().expect("a number"), database));
        return;
    }
    runtime.block_on(async {
        let server = schema_tests::server().await;
        println!("{:<12} {:>14} {:>14} {:>8}   goal {GOAL}", "call", "ours", "by hand", "ratio");
        for operation in OPERATIONS {
            let (ours, by_hand) =
                (counted("ours", operation, server.uri()), counted("by_hand", operation, server.uri()));
            println!("{operation:<12} {ours:>14.0} {by_hand:>14.0} {:>8.3}", ours / by_hand);
        }
    });
}

/// Returns the instructions of a single call.
fn counted(side: &str, operation: &str, uri: &str) -> f64 {
    let run = |calls: u64| {
        let database = format!("schema_test_{}", ObjectId::new().to_hex());
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe().expect("this program"))
            .args([side, operation, &calls.to_string(), &database])
            .env("MONGODB_URI", uri)
            .output()
            .expect("valgrind is installed");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
        let (_, count) = text.split_once("Collected : ").expect("what callgrind prints");
        count.lines().next().and_then(|count| count.trim().parse::<f64>().ok()).expect("a number")
    };
    (run(FEW + CALLS) - run(FEW)) / CALLS as f64
}

async fn run(side: &str, operation: &str, calls: u64, database: &str) {
    let uri = std::env::var("MONGODB_URI").expect("the server");
    let db = schema_runtime::connect(&uri, database).await.expect("the server");
    let articles = db.collection::<Article>("articles");
    // Each call has a document to find, and the server work is the same in a short run and in a long run.
    let stored: Vec<Article> = (0..100).map(article).collect();
    articles.insert_many(&stored).await.expect("an insert");
    let part = |id| Part { id, name: "bolt".to_owned(), maker: Ref::new(1), maker_name: "Acme".to_owned(), qty: 1 };
    db.collection::<Part>("parts").insert_many((0..100).map(part)).await.expect("an insert");
    for call in 0..calls as i64 {
        match side {
            "ours" => ours::call(operation, &db, call).await.expect("a call"),
            _ => by_hand::call(operation, &db, call).await.expect("a call"),
        }
    }
    db.drop().await.expect("the end");
}
