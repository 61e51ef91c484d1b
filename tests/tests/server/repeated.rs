//! Reads that send a command for each document: the event that names the call for all documents, and the assertion that
//! counts commands.

use futures_util::FutureExt;
use schema_runtime::{assert_commands, commands_of, prelude::*, transaction};
use schema_tests::{Fields, Spans, database, database_with_log};
use tracing::Instrument;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[inverse(notes = Note::about)]
struct Person {
    #[serde(rename = "_id")]
    number: i64,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    owner: Ref<Person>,
    #[relation(one_to_many, child_refs, max = 10)]
    readers: Vec<Ref<Person>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref)]
    about: Ref<Person>,
}

const MANY: i64 = 12;

async fn stored(db: &Database) -> (Vec<Person>, Vec<Task>) {
    schema![Person, Task, Note].plan(db).await.unwrap().apply(db).await.unwrap().complete().unwrap();
    let people: Vec<Person> = (0..MANY).map(|number| Person { number, name: "Kate".to_owned() }).collect();
    Person::insert_many(db, &people).await.unwrap();
    let task = |id| Task { id, owner: Ref::new(id), readers: vec![Ref::new(id)] };
    let tasks: Vec<Task> = (0..MANY).map(task).collect();
    Task::insert_many(db, &tasks).await.unwrap();
    Note::insert_many(db, (0..MANY).map(|id| Note { id, about: Ref::new(id) }).collect::<Vec<_>>()).await.unwrap();
    (people, tasks)
}

/// Returns the calls that the events about reads suggest.
fn instead(events: &[Fields]) -> Vec<&str> {
    events.iter().filter_map(|event| event.get("instead")).map(String::as_str).collect()
}

#[tokio::test]
async fn a_read_for_each_of_ten_documents_is_one_event_that_names_the_call_for_all() {
    let db = database().await;
    let (people, tasks) = stored(&db).await;
    let (spans, _guard) = Spans::collect();
    let request = tracing::info_span!(target: "schema_runtime_user", "request");
    async {
        for task in &tasks {
            task.owner().fetch_one(&db).await.unwrap();
            task.readers().fetch_all(&db).await.unwrap();
        }
        for person in &people {
            person.notes().fetch_all(&db).await.unwrap();
            Task::of_owner(person).latest(1).fetch_all(&db).await.unwrap();
            Person::get_by_id(&db, person.number).await.unwrap();
        }
    }
    .instrument(request)
    .await;
    let events = spans.events();
    let mut named = instead(&events);
    named.sort_unstable();
    let expected = [
        "Person::NOTES.load(&db, &parents)",
        "Person::find(Person::F.number.is_in(ids)).fetch_all(&db)",
        "Task::OWNER.inverse().load(&db, &parents)",
        "Task::OWNER.load(&db, &documents)",
        "Task::READERS.load(&db, &documents)",
    ];
    assert_eq!(named, expected);
    let event = events.iter().find(|event| event.get("by").is_some_and(|by| by == "readers")).unwrap();
    assert_eq!((event["model"].as_str(), event["times"].as_str()), ("Task", "10"));
    assert!(event["message"].contains("N+1"), "{event:?}");
}

/// The suggested call reads the same documents with a single command, or with two commands for as many documents.
#[tokio::test]
async fn what_is_named_reads_the_same() {
    let db = database().await;
    let (people, tasks) = stored(&db).await;
    let owners = assert_commands!(db, == 1, { Task::OWNER.load(&db, &tasks).await.unwrap() });
    assert!(tasks.iter().all(|task| owners.of(task).first().unwrap().number == task.id));
    let notes = assert_commands!(db, == 1, { Person::NOTES.load(&db, &people).await.unwrap() });
    assert!(people.iter().all(|person| notes.of(person).first().unwrap().id == person.number));
    let owned = assert_commands!(db, == 1, { Task::OWNER.inverse().load(&db, &people).await.unwrap() });
    assert!(people.iter().all(|person| owned.of(person).first().unwrap().id == person.number));
    let ids = 0..MANY;
    let found = assert_commands!(db, == 1, { Person::find(Person::F.number.is_in(ids)).fetch_all(&db).await.unwrap() });
    assert_eq!(found.len(), 12);
}

#[tokio::test]
async fn nine_reads_and_reads_in_spans_of_their_own_and_reads_without_a_place_are_no_event() {
    let db = database().await;
    let (_, tasks) = stored(&db).await;
    let (spans, _guard) = Spans::collect();
    for task in &tasks {
        // Without a span and without a task: the test itself.
        task.owner().fetch_one(&db).await.unwrap();
    }
    let request = || tracing::info_span!(target: "schema_runtime_user", "request");
    for task in &tasks {
        task.owner().fetch_one(&db).instrument(request()).await.unwrap();
    }
    async {
        for task in &tasks[..9] {
            task.owner().fetch_one(&db).await.unwrap();
        }
    }
    .instrument(request())
    .await;
    // A task without references sends no command.
    async {
        for id in 0..MANY {
            Task { id, owner: Ref::new(1), readers: Vec::new() }.readers().fetch_all(&db).await.unwrap();
        }
    }
    .instrument(request())
    .await;
    assert_eq!(instead(&spans.events()), [""; 0]);
}

/// The count equals the number of commands that the server got.
#[tokio::test]
async fn the_commands_of_a_part_are_those_that_the_server_sees() {
    let (db, log) = database_with_log().await;
    let (_, tasks) = stored(&db).await;
    log.clear();
    let ((), sent) = commands_of(db.name(), async {
        Task::OWNER.load(&db, &tasks).await.unwrap();
        Person::update_by_id(1).set(Person::F.name, "Lucy").execute(&db).await.unwrap();
        Task::find(Filter::all()).count(&db).await.unwrap();
        transaction(&db, |tx| async move {
            Note::insert(&tx, &Note { id: 100, about: Ref::new(1) }).await?;
            Person::get_by_id(&tx, 1).await.map(drop)
        })
        .await
        .unwrap();
        Person::find(Filter::all()).explain(&db).await.unwrap();
        let _ = tokio::join!(Note::find_by_id(&db, 1), Note::delete_by_id(&db, 2));
    })
    .await;
    let names: Vec<&str> = sent.iter().map(|sent| sent.name).collect();
    let seen: Vec<String> = log.commands().into_iter().map(|(name, _)| name).collect();
    let (mut names_sorted, mut seen_sorted) = (names.clone(), seen.iter().map(String::as_str).collect::<Vec<_>>());
    names_sorted.sort_unstable();
    seen_sorted.sort_unstable();
    assert_eq!(names_sorted, seen_sorted);
    assert_eq!(names[..2], ["find", "update"]);
    assert_eq!(sent[0].collection, Some("people"));
}

/// More documents than a single command takes: the commands run on tasks of their own.
#[tokio::test]
async fn commands_side_by_side_are_counted() {
    let db = database().await;
    let tasks: Vec<Task> = (0..4_000).map(|id| Task { id, owner: Ref::new(id), readers: Vec::new() }).collect();
    let ((), sent) = commands_of(db.name(), async {
        Task::OWNER.load(&db, &tasks).await.unwrap();
    })
    .await;
    assert_eq!(sent.len(), 3);
}

#[tokio::test]
async fn scopes_count_within_each_other_and_other_databases_do_not_count() {
    let (db, other) = (database().await, database().await);
    let (inner, outer) = commands_of(db.name(), async {
        Person::find_by_id(&db, 1).await.unwrap();
        let (_, inner) = commands_of(db.name(), Person::find_by_id(&db, 2)).await;
        Person::find_by_id(&other, 3).await.unwrap();
        inner.len()
    })
    .await;
    assert_eq!((inner, outer.len()), (1, 2));
}

#[tokio::test]
async fn too_many_commands_are_a_panic_that_lists_them() {
    let db = &database().await;
    stored(db).await;
    let reads = async {
        assert_commands!(db, <= 2, {
            for id in 0..3 {
                Person::get_by_id(db, id).await.unwrap();
            }
            Task::find(Filter::all()).count(db).await.unwrap()
        })
    };
    let panic = std::panic::AssertUnwindSafe(reads).catch_unwind().await.unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("4 commands were sent at tests/tests/server/repeated.rs:"), "{message}");
    assert!(message.ends_with("expected are at most 2:\n  find people, 3 times\n  aggregate tasks"), "{message}");
}
