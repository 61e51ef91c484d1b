//! `two_way` relations of both shapes, and a check that both ends agree. The server runs the check on the raw
//! documents.

#![allow(missing_docs, reason = "the fields of models say themselves what they are")]

use futures_util::TryStreamExt;
use mongodb::{
    Database,
    bson::{Document, doc},
    options::ReadConcern,
};
use schema_runtime::prelude::*;

/// A task. The task holds the truth of the link: the reference to the owner.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: i64,
    pub text: String,
    #[relation(one_to_many, two_way, inverse = tasks)]
    pub owner: Option<Ref<Person>>,
}

/// A person. The person mirrors the references of the tasks.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "people")]
pub struct Person {
    #[serde(rename = "_id")]
    pub id: i64,
    pub name: String,
    #[relation(one_to_many, two_way, of = Task::owner, max = 10)]
    pub tasks: Vec<Ref<Task>>,
}

/// A book. The book holds the truth of the link: the references to the authors.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "books")]
pub struct Book {
    #[serde(rename = "_id")]
    pub id: i64,
    pub title: String,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    pub authors: Vec<Ref<Author>>,
}

/// An author. The author mirrors the references of the books.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "authors")]
pub struct Author {
    #[serde(rename = "_id")]
    pub id: i64,
    pub name: String,
    #[relation(many_to_many, two_way, of = Book::authors, max = 5)]
    pub books: Vec<Ref<Book>>,
}

/// Returns a task without an owner.
pub fn task(id: i64) -> Task {
    Task { id, text: format!("task {id}"), owner: None }
}

/// Returns a person without tasks.
pub fn person(id: i64) -> Person {
    Person { id, name: format!("person {id}"), tasks: Vec::new() }
}

/// Returns a book of the authors.
pub fn book(id: i64, authors: &[i64]) -> Book {
    Book { id, title: format!("book {id}"), authors: authors.iter().map(|id| Ref::new(*id)).collect() }
}

/// Returns an author without books.
pub fn author(id: i64) -> Author {
    Author { id, name: format!("author {id}"), books: Vec::new() }
}

/// Checks that both ends of all links agree, and that no end is over its bound.
pub async fn assert_agree(db: &Database) {
    let wrong = wrong(db).await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the links that are stored at a single end only, twice, or more often than the bound of an end.
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
            // `back` is a single reference or an array of references.
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
    // The snapshot shows the commit of a stopped client completely or not at all.
    let documents = db.collection::<Document>(collection);
    let found = documents.aggregate(pipeline).read_concern(ReadConcern::snapshot()).await.expect("an aggregation");
    found.try_collect().await.expect("documents")
}
