//! The attributes and relations that a model may have beside `bucket(..)`.

use mongodb::bson::{Document, doc};
use schema_runtime::{prelude::*, schema};
use schema_tests::database;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
#[inverse(notes = Note::task)]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes", bucket(size = 2), insert_only, validation(level = strict, action = error))]
#[index(task, author)]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created), inverse = notes)]
    task: Ref<Task>,
    author: Ref<Task>,
    #[denormalize(from = author.name, snapshot, given)]
    author_name: String,
    #[created_at]
    created: DateTime,
    #[relation(one_to_few, embed, max = 2)]
    lines: Vec<Line>,
    body: Body,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Line {
    #[bound(max_len = 5)]
    text: String,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Body {
    Text { words: i32 },
    Picture { width: i32 },
}

fn note(id: i64) -> Note {
    let body = if id % 2 == 0 { Body::Text { words: 3 } } else { Body::Picture { width: 8 } };
    Note {
        id,
        task: Ref::new(1),
        author: Ref::new(2),
        author_name: "Ada".to_owned(),
        created: DateTime::MIN,
        lines: vec![Line { text: "line".to_owned() }],
        body,
    }
}

#[tokio::test]
async fn a_child_has_a_snapshot_a_time_embedded_structs_and_enums() {
    let db = database().await;
    schema![Task, Note].plan(&db).await.unwrap().apply(&db).await.unwrap();
    let before = DateTime::now();
    for id in 1..=3 {
        Note::insert(&db, &note(id)).await.unwrap();
        let found = Note::get_by_id(&db, id).await.unwrap();
        assert!(found.created >= before, "the insert sets it");
        assert_eq!(Note { created: DateTime::MIN, ..found }, note(id));
    }
    assert!(schema![Task, Note].plan(&db).await.unwrap().is_empty());
    let long = Note { lines: vec![Line { text: "too long".to_owned() }], ..note(4) };
    assert!(Note::insert(&db, &long).await.is_err());
}

#[tokio::test]
async fn the_validator_judges_what_is_in_the_children() {
    let db = database().await;
    schema![Task, Note].plan(&db).await.unwrap().apply(&db).await.unwrap();
    Note::insert(&db, &note(1)).await.unwrap();
    let notes = db.collection::<Document>("notes");
    for wrong in [
        doc! { "items.0.lines.0.text": "too long" },
        doc! { "items.0.body": { "kind": "Sound" } },
        doc! { "items.0.author": "none" },
    ] {
        let refused = notes.update_one(doc! {}, doc! { "$set": wrong.clone() }).await;
        assert!(refused.is_err(), "{wrong}");
    }
    notes.update_one(doc! {}, doc! { "$set": { "items.0.body": { "kind": "Text", "words": 1 } } }).await.unwrap();
    let stored = notes.list_indexes().await.unwrap();
    let names: Vec<String> = futures_util::TryStreamExt::try_collect::<Vec<_>>(stored)
        .await
        .unwrap()
        .into_iter()
        .filter_map(|index| index.options?.name)
        .collect();
    assert_eq!(names, ["_id_", "task_1_page_1", "items._id_1", "task_1_items.author_1"]);
}
