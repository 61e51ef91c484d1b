//! The database of the bench, and the runs of the two sides.

use std::process::Command;

use mongodb::Client;
use schema_tests::many_collections;

/// The number of collections of the schema `many` of the program.
const COLLECTIONS: usize = 100;

pub(crate) struct Data {
    uri: String,
    database: String,
}

impl Data {
    /// Makes all collections of the schema.
    pub(crate) async fn store() -> Self {
        let db = schema_tests::database().await;
        let plan = many_collections::schema(COLLECTIONS).plan(&db).await.expect("a plan");
        plan.apply(&db).await.expect("the collections");
        Data { uri: schema_tests::server().await.uri().to_owned(), database: db.name().to_owned() }
    }

    /// Runs the program of the tests, and returns the number of collections.
    pub(crate) async fn plan_by_program(&self) -> u64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schema-program"));
        command.env_clear().env("MONGODB_URI", &self.uri).env("SCHEMA_TESTS_SCHEMA", "many");
        let output = command.args(["plan", "--database", &self.database]).output().expect("the program");
        assert!(output.status.success(), "{output:?}");
        COLLECTIONS as u64
    }

    /// Connects and plans in this process, and returns the number of collections.
    pub(crate) async fn plan_by_library(&self) -> u64 {
        let db = Client::with_uri_str(&self.uri).await.expect("a client").database(&self.database);
        let plan = many_collections::schema(COLLECTIONS).plan(&db).await.expect("a plan");
        assert!(plan.is_empty(), "{plan}");
        COLLECTIONS as u64
    }

    /// Runs the program for the help.
    pub(crate) async fn help(&self) -> u64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_schema-program"));
        u64::from(command.env_clear().arg("--help").output().expect("the program").status.success())
    }

    /// Runs a program that does nothing.
    pub(crate) async fn start_and_end(&self) -> u64 {
        u64::from(Command::new("true").output().expect("`true`").status.success())
    }
}
