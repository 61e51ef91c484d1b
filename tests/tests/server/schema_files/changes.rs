//! The changes of collections, indexes and derived data, and the reports of a diff.

use schema_runtime::{
    Schema,
    prelude::*,
    schema_diff::{ChangeKind, DeployLevel, Effect, SchemaDiff},
};
use schema_tests::database;

use super::assert_written;

fn between(earlier: Schema, later: Schema) -> SchemaDiff {
    SchemaDiff::between(&earlier.snapshot().unwrap(), &later.snapshot().unwrap())
}

mod earlier {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "hosts")]
    pub(super) struct Host {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) name: String,
        #[index]
        pub(super) address: String,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "events", capped(size = "1MiB"))]
    #[query(of_level(level))]
    pub(super) struct Event {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) level: i32,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "old")]
    pub(super) struct Old {
        #[serde(rename = "_id")]
        pub(super) id: i64,
    }
}

mod later {
    use super::*;

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "hosts", check(ne(name, address)))]
    pub(super) struct Host {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[index(unique)]
        pub(super) name: String,
        pub(super) address: String,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "events", capped(size = "2MiB"))]
    pub(super) struct Event {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        pub(super) level: i32,
    }

    #[derive(Model, Serialize, Deserialize)]
    #[model(collection = "new")]
    pub(super) struct New {
        #[serde(rename = "_id")]
        pub(super) id: i64,
        #[index]
        pub(super) name: String,
    }
}

fn diff() -> SchemaDiff {
    between(schema![earlier::Host, earlier::Event, earlier::Old], schema![later::Host, later::Event, later::New])
}

#[test]
fn the_changes_as_text() {
    assert_written("tests/tests/server/schema_files/changes/changes.txt", &format!("{}\n", diff()));
}

#[test]
fn the_same_schema_has_no_changes() {
    let same = between(schema![earlier::Host], schema![earlier::Host]);
    assert!(same.is_empty());
    assert_eq!((same.level(), same.to_string().as_str()), (DeployLevel::Safe, "no changes"));
    assert_eq!(same.to_annotations(&schema![earlier::Host].snapshot().unwrap(), "schema.json"), "");
}

#[test]
fn the_changes_as_json_and_as_annotations() {
    let json: serde_json::Value = serde_json::from_str(&diff().to_json()).unwrap();
    assert_eq!((&json["format"], &json["level"]), (&1.into(), &"breaks".into()));
    let changes = json["changes"].as_array().unwrap();
    let of_index = changes.iter().find(|change| change["name"] == "name_1").unwrap();
    assert_eq!(of_index["place"], "index");
    assert_eq!(of_index["change"], "added");
    let effects: Vec<&str> =
        of_index["effects"].as_array().unwrap().iter().map(|effect| effect["effect"].as_str().unwrap()).collect();
    assert_eq!(effects, ["old_writers_refused", "backfill", "index_build"]);

    let file = schema![later::Host, later::Event, later::New].snapshot().unwrap();
    let text = file.to_json();
    let annotations = diff().to_annotations(&file, "db/schema.json");
    let of_index = annotations.lines().find(|line| line.contains("name_1")).unwrap();
    assert!(of_index.starts_with("::error file=db/schema.json,line="), "{of_index}");
    let line: usize = of_index.split("line=").nth(1).unwrap().split("::").next().unwrap().parse().unwrap();
    assert!(text.lines().nth(line - 1).unwrap().contains("\"name_1\""), "{of_index}");
    assert_eq!(annotations.lines().count(), diff().changes().len(), "each change has one line");
}

#[tokio::test]
async fn the_documents_of_an_index_build_are_counted() {
    let db = database().await;
    for id in 0..3 {
        earlier::Host::insert(&db, &earlier::Host { id, name: format!("n{id}"), address: "a".into() }).await.unwrap();
    }
    let mut diff = diff();
    diff.count_documents(&schema![later::Host, later::Event, later::New], &db).await.unwrap();
    let counts: Vec<_> = diff
        .changes()
        .iter()
        .flat_map(|change| &change.effects)
        .filter_map(|effect| match effect {
            Effect::IndexBuild { documents } => Some(*documents),
            _ => None,
        })
        .collect();
    assert_eq!(counts, [Some(3)]);
    assert!(diff.to_string().contains("the server builds an index over 3 documents"), "{diff}");
}

#[test]
fn kinds_of_changes() {
    let diff = diff();
    let count = |kind| diff.changes().iter().filter(|change| change.change == kind).count();
    assert_eq!((count(ChangeKind::Added), count(ChangeKind::Removed), count(ChangeKind::Changed)), (3, 4, 1));
}
