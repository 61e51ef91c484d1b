//! A value is always a value: no value from outside becomes an operator, a pattern or a name.

use std::net::IpAddr;

use mongodb::bson::{Document, doc};
use schema_runtime::prelude::*;
use schema_tests::database;
use serde_json::{Value, json};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    text: String,
    #[opaque(max_bytes = 1_000)]
    data: Value,
    #[opaque(max_bytes = 100)]
    from: IpAddr,
    #[bound(max_items = 5)]
    words: Vec<String>,
}

/// Returns values that would match every document, run as code, or reach another field, if the server took the value
/// for an expression.
fn hostile() -> Vec<Value> {
    vec![
        json!({ "$gt": "" }),
        json!({ "$ne": null }),
        json!({ "$where": "true" }),
        json!({ "$expr": true }),
        json!({ "$regex": ".*" }),
        json!({ "a.b": 1 }),
        json!({ "$set": { "text": "" } }),
        json!("$text"),
        json!([{ "$gt": "an element" }]),
    ]
}

fn note(id: i64, data: Value) -> Note {
    Note { id, text: "plain".to_owned(), data, from: IpAddr::from([127, 0, 0, 1]), words: Vec::new() }
}

#[tokio::test]
async fn a_document_is_compared_as_it_is() {
    let db = database().await;
    let values = hostile();
    let notes: Vec<Note> = (0..).zip(&values).map(|(id, value)| note(id, value.clone())).collect();
    Note::insert_many(&db, &notes).await.unwrap();
    Note::insert(&db, &note(99, json!("other"))).await.unwrap();
    for note in &notes {
        let ids = |notes: Vec<Note>| notes.iter().map(|note| note.id).collect::<Vec<_>>();
        let equal = Note::find(Note::F.data.eq(&note.data)).fetch_all(&db).await.unwrap();
        assert_eq!(ids(equal), [note.id], "{:?}", note.data);
        let among = Note::find(Note::F.data.is_in([&note.data])).fetch_all(&db).await.unwrap();
        assert_eq!(ids(among), [note.id], "{:?}", note.data);
        assert_eq!(Note::find(Note::F.data.ne(&note.data)).count(&db).await.unwrap(), values.len() as u64);
        assert_eq!(Note::find(Note::F.data.not_in([&note.data])).count(&db).await.unwrap(), values.len() as u64);
    }
}

#[tokio::test]
async fn a_document_is_stored_as_it_is() {
    let db = database().await;
    Note::insert(&db, &note(1, json!(null))).await.unwrap();
    for value in hostile() {
        Note::update_by_id(1).set(Note::F.data, &value).execute(&db).await.unwrap();
        let stored = Note::get_by_id(&db, &1).await.unwrap();
        assert_eq!((&stored.data, &*stored.text), (&value, "plain"));
    }
}

#[tokio::test]
async fn a_text_is_compared_as_it_is() {
    let db = database().await;
    Note::insert(&db, &note(1, json!(null))).await.unwrap();
    for text in ["{\"$gt\": \"\"}", "$gt", ".*", "^p", "", "[$ne]", "plain\0"] {
        assert_eq!(Note::find(Note::F.text.eq(text)).count(&db).await.unwrap(), 0, "{text}");
        assert_eq!(Note::find(Note::F.words.contains(text)).count(&db).await.unwrap(), 0, "{text}");
        let contained = u64::from("plain".contains(text));
        assert_eq!(Note::find(Note::F.text.contains_text(text)).count(&db).await.unwrap(), contained, "{text}");
    }
}

/// An IP address is a text in formats for people and bytes in BSON; a filter and an update must use the same form as an
/// insert.
#[tokio::test]
async fn a_value_is_written_as_it_is_in_a_document() {
    let db = database().await;
    let stored = note(1, json!(null));
    Note::insert(&db, &stored).await.unwrap();
    let inserted = db.collection::<Document>("notes").find_one(doc! {}).await.unwrap().unwrap();
    assert_eq!(Note::find(Note::F.from.eq(stored.from)).count(&db).await.unwrap(), 1);
    Note::update_by_id(1).set(Note::F.from, stored.from).execute(&db).await.unwrap();
    assert_eq!(db.collection::<Document>("notes").find_one(doc! {}).await.unwrap().unwrap(), inserted);
}
