//! Values that `#[auto]` makes.

use std::sync::atomic::{AtomicI64, Ordering};

use mongodb::bson::Bson;
use schema_runtime::prelude::*;
use schema_tests::database;

use super::stored;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "files")]
struct File {
    #[serde(rename = "_id")]
    #[auto]
    id: ulid::Ulid,
    #[auto]
    token: uuid::Uuid,
    #[auto]
    other: Uuid,
    #[auto(with = next_code)]
    #[bound(max_len = 10)]
    code: String,
    #[auto(with = codes::sealed)]
    seal: Option<i32>,
    name: String,
}

static CODES: AtomicI64 = AtomicI64::new(1);

fn next_code() -> String {
    format!("c{}", CODES.fetch_add(1, Ordering::Relaxed))
}

mod codes {
    pub(super) fn sealed() -> Option<i32> {
        Some(7)
    }
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "notes", new(Clone))]
struct Note {
    #[serde(rename = "_id")]
    #[auto]
    id: uuid::Uuid,
    text: String,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events")]
struct Event {
    #[serde(rename = "_id")]
    #[default(ObjectId::new())]
    id: ObjectId,
    name: String,
}

#[tokio::test]
async fn ids_and_fields_are_made() {
    let db = database().await;
    let files = NewFile::insert_many(&db, (0..50).map(|at| NewFile { name: at.to_string() })).await.unwrap();
    let found = File::find(Filter::all()).sort(File::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(found, files, "the order of the texts is the order in time");
    let document = stored(&db, "files").await.remove(0);
    assert_eq!(document.get_str("_id").unwrap(), files[0].id.to_string());
    assert_eq!(document.get_str("_id").unwrap().len(), 26);
    assert!(matches!(document.get("token"), Some(Bson::Binary(_))));
    assert_eq!(files[0].token.get_version_num(), 7);
    assert_eq!(files[0].other.bytes()[6] >> 4, 7);
    assert!(files.windows(2).all(|pair| pair[0].token < pair[1].token && pair[0].code != pair[1].code));
    assert!(files.iter().all(|file| file.seal == Some(7)));
    assert_eq!(File::get_by_id(&db, files[3].id).await.unwrap(), files[3]);
    let later = File::find(File::F.id.gt(files[10].id)).count(&db).await.unwrap();
    assert_eq!(later, 39);
}

#[tokio::test]
async fn uuids_rise() {
    let db = database().await;
    let note = NewNote { text: "a".to_owned() };
    let notes = NewNote::insert_many(&db, vec![note; 100]).await.unwrap();
    let found = Note::find(Filter::all()).sort(Note::F.id.asc()).fetch_all(&db).await.unwrap();
    assert_eq!(found, notes);
}

#[tokio::test]
async fn an_id_with_a_default_may_be_given() {
    let db = database().await;
    let id = ObjectId::new();
    let event = NewEvent { id: Some(id), name: "a".to_owned() }.insert(&db).await.unwrap();
    assert_eq!(event.id, id);
    let made = NewEvent { id: None, name: "b".to_owned() }.insert(&db).await.unwrap();
    assert_ne!(made.id, id);
    let error = NewEvent { id: Some(id), name: "c".to_owned() }.insert(&db).await.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error:?}");
}
