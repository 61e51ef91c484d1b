//! A preview shows the commands of an operation and writes nothing.

use mongodb::{
    Database,
    bson::{Document, doc},
};
use schema_runtime::{Error, OperationOptions, commands_of, prelude::*, preview, transaction};
use schema_tests::{database, database_with_log};

use super::lines::comparable;
use crate::mongosh::commands_of_shell;

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 10)]
    name: String,
    #[version]
    version: i64,
    #[updated_at]
    updated: DateTime,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug)]
#[model(collection = "letters")]
struct Letter {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_squillions, parent_ref)]
    author: Ref<Person>,
}

fn person(id: i32) -> Person {
    Person { id, name: format!("p{id}"), version: 0, updated: DateTime::from_millis(0) }
}

async fn count(db: &Database) -> u64 {
    db.collection::<Document>("people").count_documents(doc! {}).await.unwrap()
}

/// Runs each operation first as a preview, and then for real; the shell, this crate and the preview send the same
/// command.
#[tokio::test]
async fn the_line_of_each_operation_sends_the_same_command() {
    let (db, log) = database_with_log().await;
    let mut lines = Vec::new();
    macro_rules! each {
        ($($operation:expr;)*) => {$(
            lines.push(preview($operation).await.unwrap());
            log.clear();
            drop($operation.await);
            let sent: Vec<_> = log.commands().into_iter().map(|(_, command)| timeless(command)).collect();
            let shown = lines.last().unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
            let shell: Vec<_> = commands_of_shell(&db, &shown).await.into_iter().map(timeless).collect();
            assert_eq!(shell, sent, "{shown:#?}");
        )*};
    }
    let (db, one) = (&db, person(1));
    each! {
        Person::insert(db, &one);
        Person::insert_many(db, &[person(2), person(3)]);
        Person::find_by_id(db, &1);
        Person::find(Person::F.name.eq("p2")).fetch_optional(db);
        Person::find(Person::F.name.ne("p2")).skip(1).count(db);
        Person::find(Filter::all()).distinct(db, Person::F.name);
        Person::find(Person::F.id.gt(1)).exists(db);
        Person::replace(db, &one);
        Person::update_by_id(1).set(Person::F.name, "x").execute(db);
        Person::update_many(Person::F.id.lt(3)).set(Person::F.name, "y").execute(db);
        Person::find_one_and_update(Person::F.id.eq(2)).set(Person::F.name, "z").fetch_after(db);
        Person::find_one_and_delete(Person::F.id.eq(2)).fetch(db);
        Person::find_one_and_replace(Person::F.id.eq(1), &one).fetch_after(db);
        Person::estimated_count(db);
        Person::delete_by_id(db, &3);
        Person::delete_many(db, Person::F.name.eq("gone"));
    }
}

/// Returns a command without the times, which differ between a preview and the operation.
fn timeless(command: Document) -> Document {
    fn without_dates(document: Document) -> Document {
        let timeless = |value| match value {
            mongodb::bson::Bson::DateTime(_) => "a time".into(),
            mongodb::bson::Bson::Document(document) => without_dates(document).into(),
            mongodb::bson::Bson::Array(list) => list
                .into_iter()
                .map(|item| match item {
                    mongodb::bson::Bson::Document(document) => without_dates(document).into(),
                    item => item,
                })
                .collect::<Vec<mongodb::bson::Bson>>()
                .into(),
            value => value,
        };
        document.into_iter().map(|(name, value)| (name, timeless(value))).collect()
    }
    without_dates(comparable(command))
}

#[tokio::test]
async fn a_preview_writes_nothing() {
    let db = database().await;
    let (line, sent) = commands_of(db.name(), preview(Person::insert(&db, &person(1)))).await;
    assert!(line.unwrap().starts_with(r#"db.getCollection("people").insertOne({ _id: 1, name: "p1", version: "#));
    assert!(sent.is_empty() && count(&db).await == 0);

    // Options of the operation are in the line.
    let named = db.with(OperationOptions::new().comment("nightly"));
    let line = preview(Person::delete_many(&named, Filter::all())).await.unwrap();
    assert_eq!(line, r#"db.getCollection("people").deleteMany({}, { comment: "nightly" })"#);

    // An error before the first command is the error of the operation.
    let long = Person { name: "a long name".to_owned(), ..person(1) };
    assert!(matches!(preview(Person::insert(&db, &long)).await, Err(Error::BoundExceeded { .. })));

    // A bulk shows each command.
    let bulk = Person::bulk().insert(&person(1)).delete_by_id(2).unordered();
    let lines = preview(bulk.execute(&db)).await.unwrap();
    assert!(lines.lines().count() >= 1, "{lines}");

    // The first write ends a transaction.
    let lines = preview(transaction(&db, |tx| async move {
        Person::find_by_id(&tx, &1).await?;
        Person::insert(&tx, &person(1)).await?;
        Person::insert(&tx, &person(2)).await
    }));
    let lines = lines.await.unwrap();
    let (read, write) = lines.split_once('\n').unwrap();
    assert!(read.starts_with(r#"db.getCollection("people").find({ _id: 1 })"#), "{read}");
    assert!(
        write.starts_with(r#"db.getCollection("people").insertOne({ _id: 1, "#) && !write.contains('\n'),
        "{write}"
    );

    let refused = preview(schema![Person, Letter].plan(&db).await.unwrap().apply(&db)).await.unwrap_err();
    assert!(matches!(refused, Error::Query { .. }), "{refused}");
    assert_eq!(count(&db).await, 0);
    assert!(db.list_collection_names().await.unwrap().is_empty());
}
