//! A program with a schema: the command line of the schema as the whole program, or as the subcommand `db` of a command
//! line of the program. `SCHEMA_TESTS_SCHEMA` names the schema.

use std::{env, process::ExitCode};

use clap::Parser;
use schema_runtime::{Schema, cli, prelude::*};
use schema_tests::{copies, many_collections, rollups};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[query(by_name(name), order = desc(price), limit = 20)]
struct Product {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 80)]
    name: String,
    price: i64,
    #[index(unique)]
    number: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    name: String,
}

/// A program with a command line of its own.
#[derive(Parser)]
#[command(name = "shop", color = clap::ColorChoice::Never)]
enum Command {
    /// Serve requests
    Serve,
    /// Plan, apply and check the database
    Db(cli::Db),
}

fn schema() -> Schema {
    match env::var("SCHEMA_TESTS_SCHEMA").as_deref() {
        Ok("parts") => schema![Part],
        Ok("all") => schema![Product, Part],
        Ok("copies") => schema![copies::Tag, copies::Owner, copies::Item, copies::Card],
        Ok("many") => many_collections::schema(100),
        Ok("rollups") => schema![rollups::Host, rollups::LogMsg, rollups::Counter],
        _ => schema![Product],
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    if env::var_os("SCHEMA_TESTS_NESTED").is_none() {
        return cli::run(schema()).await;
    }
    match Command::parse() {
        Command::Serve => ExitCode::SUCCESS,
        Command::Db(db) => db.run(schema()).await,
    }
}
