//! `two_way` relations of both shapes, and whether both ends agree, judged by the server from the raw documents.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
    options::ReadConcern,
};
use schema_runtime::prelude::*;

/// Holds the truth: whose it is.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: i64,
    pub text: String,
    #[relation(one_to_many, two_way, inverse = tasks)]
    pub owner: Option<Ref<Person>>,
}

/// Mirrors it.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: i64,
    pub name: String,
    #[relation(one_to_many, two_way, of = Task::owner, max = 10)]
    pub tasks: Vec<Ref<Task>>,
}

/// Holds the truth: who has written it.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "books")]
pub struct Book {
    #[serde(rename = "_id")]
    pub id: i64,
    pub title: String,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    pub authors: Vec<Ref<Author>>,
}

/// Mirrors it.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
pub struct Author {
    #[serde(rename = "_id")]
    pub id: i64,
    pub name: String,
    #[relation(many_to_many, two_way, of = Book::authors, max = 5)]
    pub books: Vec<Ref<Book>>,
}

/// A task of nobody.
pub fn task(id: i64) -> Task {
    Task { id, text: format!("task {id}"), owner: None }
}

/// A person without tasks.
pub fn person(id: i64) -> Person {
    Person { id, name: format!("person {id}"), tasks: Vec::new() }
}

/// A book of these authors.
pub fn book(id: i64, authors: &[i64]) -> Book {
    Book { id, title: format!("book {id}"), authors: authors.iter().map(|id| Ref::new(*id)).collect() }
}

/// An author without books.
pub fn author(id: i64) -> Author {
    Author { id, name: format!("author {id}"), books: Vec::new() }
}

/// Both ends of all links agree, and none is over its bound.
pub async fn assert_agree(db: &Database) {
    let wrong = wrong(db).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is stored at one end only, or twice, or more often than an end may.
pub async fn wrong(db: &Database) -> Vec<String> {
    let mut wrong = wrong_ends(db, ("tasks", "owner"), ("people", "tasks", 10)).await;
    wrong.extend(wrong_ends(db, ("books", "authors"), ("authors", "books", 5)).await);
    let over = aggregate(db, "books", vec![doc! { "$match": { "authors.3": { "$exists": true } } }]).await;
    wrong.extend(over.iter().map(|book| format!("over its bound: {book}")));
    wrong
}

async fn wrong_ends(db: &Database, truth: (&str, &str), mirror: (&str, &str, usize)) -> Vec<String> {
    let mut wrong = Vec::new();
    for ((from, field), (to, back)) in [(truth, (mirror.0, mirror.1)), ((mirror.0, mirror.1), truth)] {
        let joined = doc! { "from": to, "localField": field, "foreignField": "_id", "as": "far" };
        let pipeline = vec![
            doc! { "$unwind": format!("${field}") },
            doc! { "$match": { field: { "$ne": null } } },
            doc! { "$lookup": joined },
            // `back` is one reference or an array of them.
            doc! { "$match": { "$expr": { "$not": { "$in": [
                "$_id",
                { "$let": {
                    "vars": { "back": { "$ifNull": [{ "$first": format!("$far.{back}") }, []] } },
                    "in": { "$cond": [{ "$isArray": "$$back" }, "$$back", ["$$back"]] },
                } },
            ] } } } },
        ];
        let one_sided = aggregate(db, from, pipeline).await;
        wrong.extend(one_sided.iter().map(|link| format!("one-sided in `{from}.{field}`: {link}")));
    }
    let (collection, field, max) = mirror;
    let size = doc! { "$size": format!("${field}") };
    let distinct = doc! { "$size": { "$setUnion": [format!("${field}")] } };
    let over = doc! { "$or": [{ "$gt": [&size, max as i64] }, { "$ne": [size, distinct] }] };
    let over = aggregate(db, collection, vec![doc! { "$match": { "$expr": over } }]).await;
    wrong.extend(over.iter().map(|document| format!("over its bound, or twice: {document}")));
    wrong
}

async fn aggregate(db: &Database, collection: &str, pipeline: Vec<Document>) -> Vec<Document> {
    // What a stopped client has begun to commit is seen whole or not at all.
    let documents = db.collection::<Document>(collection);
    let found = documents.aggregate(pipeline).read_concern(ReadConcern::snapshot()).await.expect("an aggregation");
    found.try_collect().await.expect("documents")
}
