//! Chapter 5 of the tutorial: a copy of the author's name in each book, counters in authors and books, and the worker.
//!
//! `cargo run --example tutorial_5_copies` starts a MongoDB server, asks the service and ends. With `MONGODB_URI` the
//! program runs on another server, which is a replica set, and first drops the database `schema_tutorial_5`.

#[path = "tutorial/client.rs"]
mod client;

use std::time::Duration;

use axum::{
    Router,
    extract::{Path, State},
    routing::{get, patch},
};
use schema_runtime::{Page, local, prelude::*, web::JsonBody};
use serde_json::json;

// ANCHOR: models
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors", new)]
#[inverse(books = Book::author, on_delete = restrict)]
struct Author {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 100)]
    #[copied_to(Book::author_name)]
    name: String,
    #[computed(count(Book::author))]
    titles: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books", new)]
#[inverse(reviews = Review::book, on_delete = cascade)]
struct Book {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 200)]
    title: String,
    #[relation(one_to_many, parent_ref, order = asc(title))]
    author: Ref<Author>,
    #[bound(max_len = 100)]
    #[denormalize(from = author.name)]
    author_name: String,
    #[computed(count(Review::book))]
    review_count: i64,
    #[computed(avg(Review::book, stars))]
    stars: Option<f64>,
}
// ANCHOR_END: models

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "reviews", new)]
struct Review {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    book: Ref<Book>,
    #[check(min = 1, max = 5)]
    stars: i32,
}

fn app(db: Database) -> Router {
    Router::new().route("/authors/{id}", patch(edit_author)).route("/books", get(list)).with_state(db)
}

// ANCHOR: handlers
/// The books, with the names of their authors: one `find`, and no join.
async fn list(State(db): State<Database>) -> Result<JsonBody<Page<Vec<Book>>>> {
    Ok(JsonBody(Book::find(Filter::all()).sort(Book::F.title.asc()).paginate(20).fetch(&db).await?))
}

#[derive(Patch, Deserialize)]
#[patch(Author)]
struct EditAuthor {
    name: Option<String>,
}

/// Writes the name of the author, and the copies in the books of the author.
async fn edit_author(
    State(db): State<Database>,
    Path(id): Path<Ref<Author>>,
    JsonBody(edit): JsonBody<EditAuthor>,
) -> Result<JsonBody<Author>> {
    Ok(JsonBody(Author::update_by_id(id).apply(&edit).fetch_after(&db).await?))
}
// ANCHOR_END: handlers

/// Prints the derived fields of each book.
async fn print_books(db: &Database) -> Result<()> {
    for book in Book::find(Filter::all()).sort(Book::F.title.asc()).fetch_all(db).await? {
        let stars = book.stars.map_or("none".to_owned(), |stars| stars.to_string());
        println!("{} by {}: {} reviews, average {stars}", book.title, book.author_name, book.review_count);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<()> {
    let db = local::connect("schema_tutorial_5").await?;
    db.drop().await?;
    let schema = schema![Author, Book, Review];
    schema.plan(&db).await?.apply(&db).await?.complete()?;

    // ANCHOR: insert
    let shelley = NewAuthor { name: "Mary Godwin".into() }.insert(&db).await?;
    let books = ["Frankenstein", "The Last Man"];
    let books = books.map(|title| NewBook { title: title.into(), author: Ref::to(&shelley) });
    let books = NewBook::insert_many(&db, books).await?;
    let reviews = [5, 4].map(|stars| NewReview { book: Ref::to(&books[0]), stars });
    let reviews = NewReview::insert_many(&db, reviews).await?;
    print_books(&db).await?;
    println!("titles of the author: {}", Author::get_by_id(&db, shelley.id).await?.titles);
    // ANCHOR_END: insert

    let client = client::Client::new(app(db.clone()));
    client.send("PATCH", &format!("/authors/{}", shelley.id), json!({ "name": "Mary Shelley" })).await;
    client.get("/books").await;

    // ANCHOR: delete
    println!("\nwithout a review:");
    Review::delete(&db, &reviews[1]).await?;
    print_books(&db).await?;
    // ANCHOR_END: delete

    // ANCHOR: worker
    println!("\nthe copies of this change are left to a worker:");
    Author::update_by_id(shelley.id).set(Author::F.name, "M. W. Shelley").defer_copies().execute(&db).await?;
    print_books(&db).await?;
    let report = schema.worker(&db).grace(Duration::ZERO).run_once().await?;
    println!("the worker: {report}");
    print_books(&db).await?;
    println!("verify: {}", schema.verify(&db).await?);
    // ANCHOR_END: worker

    // ANCHOR: end
    schema_runtime::finish_writes(&db).await;
    // ANCHOR_END: end
    Ok(())
}
