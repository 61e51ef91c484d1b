//! Options of operations: each option on the commands of each kind of operation, the options of an executor, and the
//! time limit of an operation.

mod reads;
mod relations;
mod timeouts;
mod writes;

use mongodb::{
    bson::{Bson, Document},
    options::{Collation, CollationStrength},
};
use schema_runtime::prelude::*;

/// A model without derived data.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "parts")]
#[index(qty, name)]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    #[index(name = "by_name", case_insensitive)]
    name: String,
    qty: i64,
    #[bound(max_items = 2)]
    tags: Vec<String>,
}

fn part(id: i64, name: &str) -> Part {
    Part { id, name: name.to_owned(), qty: id, tags: Vec::new() }
}

/// Returns the collation by which upper and lower case are equal.
fn without_case() -> Collation {
    Collation::builder().locale("en").strength(CollationStrength::Secondary).build()
}

/// Returns a part of each of these commands.
fn parts(commands: &[(String, Document)], part: &str) -> Vec<(String, Option<Bson>)> {
    commands.iter().map(|(name, command)| (name.clone(), command.get(part).cloned())).collect()
}

/// Returns the names of the commands.
fn names(commands: &[(String, Document)]) -> Vec<&str> {
    commands.iter().map(|(name, _)| name.as_str()).collect()
}
