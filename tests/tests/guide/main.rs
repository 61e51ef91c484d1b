//! A program for each task of the page `guides/tasks.md`, on a real server. A program uses the crate as the page of the
//! task describes, and the page includes the core of the program.

mod aggregation;
mod axum_state;
mod blocks;
mod changing_data;
mod connect;
mod crud;
mod dates;
mod decimals;
mod design;
mod dynamic_data;
mod enums;
mod filters;
mod geo;
mod indexes;
mod locking;
mod logging;
mod model;
mod operate;
mod pages;
mod raw_driver;
mod relations;
mod shell;
mod soft_delete;
mod tasks;
mod text_search;
mod throwaway_database;
mod timestamps;
mod transactions;
mod updates;
mod uuids;
mod value_rules;

use std::{fs, path::PathBuf};

use schema_runtime::{Schema, prelude::*};

/// Returns the path of a page of the guide.
fn page(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../guide/pages").join(name)
}

/// Panics unless the page shows each line of the commands.
#[track_caller]
fn assert_shown(name: &str, commands: &str) {
    let text = fs::read_to_string(page(name)).expect("a page");
    for line in commands.lines() {
        assert!(text.lines().any(|shown| shown == line), "{name} does not show the command\n{line}");
    }
}

/// Returns a new database with the collections and indexes of a schema.
async fn database(schema: &Schema) -> Database {
    let db = schema_tests::database().await;
    schema.plan(&db).await.expect("a plan").apply(&db).await.expect("the steps").complete().expect("no refused step");
    db
}
