//! Deletes of parents with more children than a transaction should have.

use schema_runtime::{Throttle, prelude::*};
use schema_tests::{database, database_with_log, fail_command};

use schema_tests::delete_rules::{Host, Message, Note, assert_no_orphans, count, host, message, note, the_schema};

#[tokio::test]
async fn many_children_go_in_chunks_before_their_parent() {
    let (db, log) = database_with_log().await;
    the_schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert_many(&db, [host(1), host(2)]).await.unwrap();
    Message::insert_many(&db, (0..3_500).map(|id| message(id, 1))).await.unwrap();
    Note::insert_many(&db, (0..1_500).map(|id| note(id, 1))).await.unwrap();
    log.clear();
    assert!(Host::delete_by_id(&db, 1).await.unwrap());
    let deletes = log.named("delete");
    let collections: Vec<&str> = deletes.iter().map(|delete| delete.get_str("delete").unwrap()).collect();
    assert_eq!(collections, ["messages", "messages", "messages", "messages", "hosts"]);
    assert_eq!((count(&db, "messages").await, count(&db, "notes").await), (0, 1_500));
    assert_no_orphans(&db).await;
}

/// A shelf, with the count of its files after every kind of delete.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[computed(count(File::shelf))]
    files: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "folders")]
#[inverse(files = File::folder, on_delete = cascade)]
#[inverse(letters = Letter::folder, on_delete = cascade)]
struct Folder {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "files")]
struct File {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    folder: Ref<Folder>,
    #[relation(one_to_many, parent_ref)]
    shelf: Ref<Shelf>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "letters")]
struct Letter {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    folder: Ref<Folder>,
    #[relation(one_to_many, two_way, inverse = letters)]
    reader: Ref<Reader>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "readers")]
struct Reader {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, of = Letter::reader, max = 200, on_delete = restrict)]
    letters: Vec<Ref<Letter>>,
}

const MANY: i64 = 2_600;

async fn folder(db: &Database) {
    schema![Shelf, Folder, File, Letter, Reader].plan(db).await.unwrap().apply(db).await.unwrap();
    Folder::insert(db, &Folder { id: 1 }).await.unwrap();
}

/// Many children with mirrored links to the same readers.
#[tokio::test]
async fn many_children_with_links() {
    let db = database().await;
    folder(&db).await;
    Reader::insert_many(&db, (0..20).map(|id| Reader { id, letters: Vec::new() })).await.unwrap();
    let letter = |id| Letter { id, folder: Ref::new(1), reader: Ref::new(id % 20) };
    Letter::insert_many(&db, (0..MANY).map(letter)).await.unwrap();
    assert_eq!(Reader::get_by_id(&db, 7).await.unwrap().letters.len(), 130);
    assert!(Folder::delete_by_id(&db, 1).await.unwrap());
    assert_eq!((count(&db, "letters").await, count(&db, "folders").await), (0, 0));
    let readers = Reader::find(Filter::all()).fetch_all(&db).await.unwrap();
    assert!(readers.iter().all(|reader| reader.letters.is_empty()));
}

/// The remaining chunks in progress are finished, with all derived writes.
#[tokio::test]
async fn one_of_the_chunks_fails() {
    let db = database().await;
    folder(&db).await;
    Shelf::insert(&db, &Shelf { id: 1, files: 0 }).await.unwrap();
    let file = |id| File { id, folder: Ref::new(1), shelf: Ref::new(1) };
    File::insert_many(&db, (0..MANY).map(file)).await.unwrap();
    // The command fails that comes first after the commit of a chunk: the final delete of the children.
    let failure = doc! { "failCommands": ["delete"], "errorCode": 13 };
    let failure = fail_command(&db, doc! { "times": 1 }, failure).await;
    assert!(Folder::delete_by_id(&db, 1).await.is_err());
    failure.clear().await;
    // The failed chunk and the chunks that were not begun are left to recover.
    let left = count(&db, "files").await;
    assert!(0 < left && left < MANY as u64, "{left} are left");
    let schema = schema![Shelf, Folder, File, Letter, Reader];
    schema.recover(&db, &Throttle::new()).await.unwrap();
    assert_eq!((count(&db, "files").await, count(&db, "folders").await), (0, 0));
    assert_eq!(Shelf::get_by_id(&db, 1).await.unwrap().files, 0);
}

/// The delete searches the children again after the loss of the cursor of the `_id`s.
#[tokio::test]
async fn a_cursor_that_is_lost() {
    let db = database().await;
    the_schema().plan(&db).await.unwrap().apply(&db).await.unwrap();
    Host::insert(&db, &host(1)).await.unwrap();
    Message::insert_many(&db, (0..3_500).map(|id| message(id, 1))).await.unwrap();
    let lost = fail_command(&db, doc! { "times": 1 }, doc! { "failCommands": ["getMore"], "errorCode": 43 }).await;
    assert!(Host::delete_by_id(&db, 1).await.unwrap());
    lost.clear().await;
    assert_eq!((count(&db, "messages").await, count(&db, "hosts").await), (0, 0));
}
