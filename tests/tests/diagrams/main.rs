//! Diagrams, descriptions and reports of schemas: of the models of the tests, and of generated schemas. The texts are
//! read by the programs that the texts are for: a browser, Mermaid, Graphviz.

mod browser;
mod generated;
mod geometry;
mod reports;
mod snapshots;
mod texts;

use std::sync::OnceLock;

use schema_runtime::{
    Schema,
    diagram::{DiagramFormat, DiagramOptions, draw},
    prelude::*,
    schema_file::SchemaFile,
};
use schema_tests::{
    buckets::{Comment, Panel, Post, Reading},
    copies::{Card, Item, Owner, Tag},
    domain,
    links::{Author, Book, Person, Task},
    models::{Host, LogMsg},
    rollups::{Counter, Host as CountingHost, LogMsg as CountedMsg},
    trees::{Category, Folder, Place},
};

/// Returns the schemas of the models of the tests, by a name.
fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("logs", schema![Host, LogMsg]),
        ("copies", schema![Tag, Owner, Item, Card]),
        ("links", schema![Task, Person, Book, Author]),
        ("rollups", schema![CountingHost, CountedMsg, Counter]),
        ("buckets", schema![Post, Comment, Panel, Reading]),
        ("trees", schema![Category, Folder, Place]),
        ("domain", domain::schema()),
    ]
}

/// Returns the files of the models of the tests and of 40 generated schemas, by a name.
fn files() -> Vec<(String, SchemaFile)> {
    let of_models = schemas().into_iter().map(|(name, schema)| (name.to_owned(), schema.snapshot().unwrap()));
    of_models.chain((0..40).map(|seed| (format!("generated {seed}"), generated::file(seed)))).collect()
}

/// Returns the pictures of [`files`], drawn once for all tests.
fn pictures() -> &'static [(String, SchemaFile, String)] {
    static PICTURES: OnceLock<Vec<(String, SchemaFile, String)>> = OnceLock::new();
    PICTURES.get_or_init(|| {
        let drawn = |(name, file)| {
            let picture = drawn(&file, DiagramFormat::Svg);
            (name, file, picture)
        };
        files().into_iter().map(drawn).collect()
    })
}

fn drawn(file: &SchemaFile, format: DiagramFormat) -> String {
    draw(file, format, &DiagramOptions::new()).unwrap()
}
