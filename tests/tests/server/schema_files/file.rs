//! The file itself: the form, the order, the round trip, and files of other formats.

use schema_runtime::{
    prelude::*,
    schema_diff::SchemaDiff,
    schema_file::{SchemaFile, SchemaFileError},
};

use super::assert_written;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    #[bound(max_len = 50)]
    name: String,
    #[changes(seldom)]
    #[copied_to(Event::host_address)]
    address: String,
    #[computed(count(Event::host))]
    events: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", allow(unused_index, reason = "another program reads by it"))]
#[query(recent(host), order = desc(time), limit = 50, per_day = 1_000)]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.address)]
    host_address: Option<String>,
    #[check(min = 0, max = 7)]
    level: i32,
    state: State,
    #[index]
    time: DateTime,
    #[bound(max_items = 5)]
    tags: Vec<String>,
}

#[derive(Serialize, Deserialize, Clone, Copy, Embed)]
enum State {
    New,
    Seen,
}

#[test]
fn a_file_has_a_line_for_each_field_and_each_index() {
    let text = schema![Host, Event].snapshot().unwrap().to_json();
    assert_written("tests/tests/server/schema_files/file/schema.json", &text);
}

#[test]
fn the_order_of_the_models_changes_nothing() {
    assert_eq!(schema![Host, Event].snapshot().unwrap(), schema![Event, Host].snapshot().unwrap());
}

#[test]
fn a_file_that_is_read_is_the_file_that_was_written() {
    let file = schema![Host, Event].snapshot().unwrap();
    assert_eq!(SchemaFile::from_json(&file.to_json()).unwrap(), file);
}

#[test]
fn a_file_of_another_format_and_a_text_that_is_no_file() {
    let read = |text: &str| SchemaFile::from_json(text).unwrap_err();
    assert!(matches!(read(r#"{"format": 2, "tables": []}"#), SchemaFileError::Format { found: 2 }));
    assert_eq!(
        read(r#"{"format": 2}"#).to_string(),
        "the schema file has format 2, and this version reads format 1: use the version that wrote the file"
    );
    for text in ["", "{}", r#"{"format": 1, "models": [{"collection": 5}]}"#, r#"{"format": 1, "models": [], "x": 1}"#]
    {
        assert!(matches!(read(text), SchemaFileError::Form(_)), "{text}");
    }
    let model = r#"{"collection": "a", "model": "A", "unknown_fields": "drop", "fields": []}"#;
    let twice = format!(r#"{{"format": 1, "models": [{model}, {model}]}}"#);
    assert_eq!(read(&twice).to_string(), "the schema file lists the collection `a` twice");
}

/// The published JSON Schema of the format is the schema of the types.
#[test]
fn the_published_schema_of_the_format() {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(SchemaFile)).unwrap() + "\n";
    assert_written("schema-runtime/schemas/schema-file-1.json", &schema);
}

/// Removes the facts that diagrams show, as in a file of an earlier version.
fn remove_facts(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|name, _| {
                !["module", "used_by", "write", "mirror_of", "inverse", "at_most"].contains(&name.as_str())
            });
            fields.values_mut().for_each(remove_facts);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(remove_facts),
        _ => {}
    }
}

#[test]
fn a_file_without_the_facts_of_diagrams_reads_and_has_no_changes() {
    let later = schema![Host, Event].snapshot().unwrap();
    let mut value = serde_json::to_value(&later).unwrap();
    remove_facts(&mut value);
    let earlier = SchemaFile::from_json(&value.to_string()).unwrap();
    assert_ne!(earlier, later);
    assert!(SchemaDiff::between(&earlier, &later).is_empty());
}
