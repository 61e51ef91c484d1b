//! Chapter 3 of the tutorial: authors, books and reviews; reads that follow relations; the effect of a delete.
//!
//! `cargo run --example tutorial_3_relation` starts a MongoDB server, asks the service and ends. With `MONGODB_URI` the
//! program runs on another server, and first drops the database `schema_tutorial_3`.

#[path = "tutorial/client.rs"]
mod client;

use axum::{
    Router,
    extract::{Path, State},
    http::StatusCode,
    response::IntoResponse,
    routing::{delete, get},
};
use schema_runtime::{local, prelude::*, web::JsonBody};
use serde_json::Value;

// ANCHOR: models
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors", new)]
#[inverse(books = Book::author, on_delete = restrict)]
struct Author {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 100)]
    name: String,
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
}

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
    #[bound(max_len = 1_000)]
    text: String,
}
// ANCHOR_END: models

fn app(db: Database) -> Router {
    Router::new()
        .route("/authors/{id}", delete(remove_author))
        .route("/authors/{id}/books", get(books_of))
        .route("/books", get(list))
        .route("/books/{id}", delete(remove_book))
        .with_state(db)
}

// ANCHOR: far_side
async fn books_of(State(db): State<Database>, Path(author): Path<Ref<Author>>) -> Result<impl IntoResponse> {
    Ok(JsonBody(Book::of_author(author).paginate(20).fetch(&db).await?))
}
// ANCHOR_END: far_side

// ANCHOR: lookup
async fn list(State(db): State<Database>) -> Result<impl IntoResponse> {
    let books = Book::find(Filter::all()).sort(Book::F.title.asc()).limit(20);
    Ok(JsonBody(Book::AUTHOR.lookup(books).fetch_all(&db).await?))
}
// ANCHOR_END: lookup

// ANCHOR: load
/// Prints the books with their authors and reviews, by three commands for any number of books.
async fn print_books(db: &Database) -> Result<()> {
    let books = Book::find(Filter::all()).sort(Book::F.title.asc()).limit(20).fetch_all(db).await?;
    let (authors, reviews) = (Book::AUTHOR, Book::REVIEWS).load(db, &books).await?;
    for book in &books {
        let author = authors.of(book).first().map_or("nobody", |author| &author.name);
        println!("{} by {author}", book.title);
        for review in reviews.of(book) {
            println!("  {} stars: {}", review.stars, review.text);
        }
    }
    Ok(())
}
// ANCHOR_END: load

// ANCHOR: delete
async fn remove_author(State(db): State<Database>, Path(id): Path<Ref<Author>>) -> Result<StatusCode> {
    Ok(if Author::delete_by_id(&db, id).await? { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND })
}

async fn remove_book(State(db): State<Database>, Path(id): Path<Ref<Book>>) -> Result<StatusCode> {
    Ok(if Book::delete_by_id(&db, id).await? { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND })
}
// ANCHOR_END: delete

#[tokio::main]
async fn main() -> Result<()> {
    let db = local::connect("schema_tutorial_3").await?;
    db.drop().await?;
    schema![Author, Book, Review].plan(&db).await?.apply(&db).await?.complete()?;

    // ANCHOR: insert
    let shelley = NewAuthor { name: "Mary Shelley".into() }.insert(&db).await?;
    let wells = NewAuthor { name: "H. G. Wells".into() }.insert(&db).await?;
    let books = [("Frankenstein", &shelley), ("The Last Man", &shelley), ("The Time Machine", &wells)];
    let books = books.map(|(title, author)| NewBook { title: title.into(), author: Ref::to(author) });
    let books = NewBook::insert_many(&db, books).await?;
    let reviews = [(5, "The monster speaks."), (4, "Letters within letters.")];
    let reviews = reviews.map(|(stars, text)| NewReview { book: Ref::to(&books[0]), stars, text: text.into() });
    NewReview::insert_many(&db, reviews).await?;
    // ANCHOR_END: insert
    print_books(&db).await?;

    let client = client::Client::new(app(db.clone()));
    client.get(&format!("/authors/{}/books", shelley.id)).await;
    client.get("/books").await;

    // ANCHOR: deletes
    client.send("DELETE", &format!("/authors/{}", shelley.id), Value::Null).await;
    client.send("DELETE", &format!("/books/{}", books[0].id), Value::Null).await;
    println!("\n{} reviews are left", Review::find(Filter::all()).count(&db).await?);
    // ANCHOR_END: deletes
    schema_runtime::finish_writes(&db).await;
    Ok(())
}
