//! No concurrent change is lost, and data that look like a position stay data.

use std::collections::BTreeMap;

use mongodb::bson::doc;
use schema_runtime::prelude::*;
use schema_tests::database;

use super::{Person, person};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "boards")]
struct Board {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_items = 3)]
    notes: Vec<Note>,
    #[bound(max_items = 3)]
    rows: Vec<Row>,
    #[bound(max_items = 5)]
    scores: Vec<i32>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Note(#[bound(max_items = 5)] BTreeMap<String, i32>);

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Row(#[bound(max_items = 2)] Vec<i32>);

async fn board(db: &Database) -> Board {
    let board = Board {
        id: 1,
        notes: vec![Note([("2".to_owned(), 0)].into())],
        rows: vec![Row(vec![1, 2]), Row(vec![])],
        scores: vec![1, 2],
    };
    Board::insert(db, &board).await.unwrap();
    board
}

#[tokio::test]
async fn a_change_that_is_there_twice_is_refused() {
    let db = database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let floors = Person::F.home.floors;
    let twice = [
        Person::update_by_id(1).each(floors, |_| Filter::all(), |change, floor| change.inc(floor, 1)).each(
            floors,
            |_| Filter::all(),
            |change, floor| change.inc(floor, 2),
        ),
        Person::update_by_id(1).raw(doc! { "$inc": { "age": 1 } }).inc(Person::F.age, 2),
        Person::update_by_id(1).raw(doc! { "$inc": { "age": 1 } }).raw(doc! { "$inc": { "age": 2 } }),
    ];
    for update in twice {
        let error = update.execute(&db).await.unwrap_err();
        assert!(matches!(&error, Error::Update { message } if message.contains("twice")), "{error}");
    }
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap(), person(1));
}

#[tokio::test]
async fn raw_operators_come_together() {
    let db = database().await;
    Person::insert(&db, &person(1)).await.unwrap();
    let update = Person::update_by_id(1).raw(doc! { "$set": { "name": "raw" } }).raw(doc! { "$set": { "age": 7_i64 } });
    update.set(Person::F.height, 2.5).execute(&db).await.unwrap();
    let found = Person::get_by_id(&db, &1).await.unwrap();
    assert_eq!((found.name.as_str(), found.age, found.height), ("raw", 7, 2.5));
}

#[tokio::test]
async fn every_element_is_pulled() {
    let db = database().await;
    board(&db).await;
    let update = Board::update_by_id(1).pull_if(Board::F.scores, |_| Filter::all());
    assert_eq!(update.pull_if(Board::F.rows, |_| Filter::all()).execute(&db).await.unwrap().modified, 1);
    Person::insert(&db, &person(1)).await.unwrap();
    Person::update_by_id(1).pull_if(Person::F.addresses, |_| Filter::all()).execute(&db).await.unwrap();
    let found = Board::get_by_id(&db, &1).await.unwrap();
    assert_eq!((found.scores, found.rows.len()), (vec![], 0));
    assert_eq!(Person::get_by_id(&db, &1).await.unwrap().addresses, []);
}

#[tokio::test]
async fn a_key_of_a_map_is_no_position() {
    let db = database().await;
    board(&db).await;
    let note = || Note([("0".to_owned(), 1)].into());
    for room in [true, true, false] {
        let push = Board::update_by_id(1).push(Board::F.notes, note()).execute(&db);
        let pushed = tokio::time::timeout(schema_tests::PATIENCE, push).await.expect("an answer");
        assert_eq!(pushed.is_ok(), room, "{pushed:?}");
    }
    let added = Board::update_by_id(1).add_to_set(Board::F.notes, note()).execute(&db).await.unwrap();
    assert_eq!((added.matched, added.modified), (1, 0));
    assert_eq!(Board::get_by_id(&db, &1).await.unwrap().notes.len(), 3);
}

#[tokio::test]
async fn an_array_in_an_array_keeps_its_bound() {
    let db = database().await;
    let before = board(&db).await;
    let error = Board::update_by_id(1)
        .each(Board::F.rows, |_| Filter::all(), |change, row| change.push(row, 9))
        .execute(&db)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { bound: 2, size: 3, .. }), "{error}");
    assert_eq!(Board::get_by_id(&db, &1).await.unwrap(), before);
}

#[tokio::test]
async fn a_mistake_in_the_changes_of_elements_is_one_of_the_update() {
    let db = database().await;
    let before = board(&db).await;
    let update = Board::update_by_id(1).push(Board::F.scores, 3).each(
        Board::F.scores,
        |score| score.eq(1),
        |change, score| change.inc(score, 1).inc(score, 2),
    );
    let error = update.execute(&db).await.unwrap_err();
    assert!(matches!(&error, Error::Update { message } if message.contains("there twice")), "{error}");
    assert_eq!(Board::get_by_id(&db, &1).await.unwrap(), before);
}
