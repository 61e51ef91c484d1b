//! Chapter 2 of the tutorial: create, read, change and delete books over HTTP; a search with filters; pages.
//!
//! `cargo run --example tutorial_2_http` starts a MongoDB server, asks the service and ends. With the argument `serve`
//! the program listens on 127.0.0.1:3000 until Ctrl-C. With `MONGODB_URI` the program runs on another server, and first
//! drops the database `schema_tutorial_2`.

#[path = "tutorial/client.rs"]
mod client;

use axum::{
    Router,
    extract::{Path, Query, State},
    http::StatusCode,
    routing::get,
};
use schema_runtime::{
    Page, local,
    prelude::*,
    web::{JsonBody, PageQuery},
};
use serde_json::{Value, json};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books", new)]
#[index(genres, title, id)]
struct Book {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 200)]
    #[check(not_empty)]
    title: String,
    #[index(unique)]
    #[check(pattern = "^[0-9]{13}$")]
    isbn: String,
    year: i32,
    /// In cents.
    #[check(min = 0)]
    price: i64,
    #[bound(max_items = 5, max_len = 30)]
    #[serde(default)]
    genres: Vec<String>,
}
// ANCHOR_END: model

// ANCHOR: router
fn app(db: Database) -> Router {
    Router::new()
        .route("/books", get(list).post(create))
        .route("/books/{id}", get(show).patch(edit).delete(remove))
        .with_state(db)
}
// ANCHOR_END: router

// ANCHOR: create
async fn create(State(db): State<Database>, JsonBody(new): JsonBody<NewBook>) -> Result<(StatusCode, JsonBody<Book>)> {
    Ok((StatusCode::CREATED, JsonBody(new.insert(&db).await?)))
}

async fn show(State(db): State<Database>, Path(id): Path<Ref<Book>>) -> Result<JsonBody<Book>> {
    Ok(JsonBody(Book::get_by_id(&db, id).await?))
}
// ANCHOR_END: create

// ANCHOR: edit
/// The body of a PATCH: an absent field does not change.
#[derive(Patch, Default, Deserialize)]
#[patch(Book)]
#[serde(default)]
struct EditBook {
    title: Option<String>,
    price: Option<i64>,
    genres: Option<Vec<String>>,
}

async fn edit(
    State(db): State<Database>,
    Path(id): Path<Ref<Book>>,
    JsonBody(edit): JsonBody<EditBook>,
) -> Result<JsonBody<Book>> {
    Ok(JsonBody(Book::update_by_id(id).apply(&edit).fetch_after(&db).await?))
}

async fn remove(State(db): State<Database>, Path(id): Path<Ref<Book>>) -> Result<StatusCode> {
    Ok(if Book::delete_by_id(&db, id).await? { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND })
}
// ANCHOR_END: edit

// ANCHOR: list
#[derive(Deserialize)]
struct Search {
    genre: Option<String>,
    max_price: Option<i64>,
}

async fn list(
    State(db): State<Database>,
    Query(search): Query<Search>,
    at: PageQuery,
) -> Result<JsonBody<Page<Vec<Book>>>> {
    let mut filter = Filter::all();
    if let Some(genre) = &search.genre {
        filter &= Book::F.genres.contains(genre);
    }
    if let Some(max_price) = search.max_price {
        filter &= Book::F.price.lte(max_price);
    }
    let books = Book::find(filter).sort(Book::F.title.asc()).paginate(at.limit);
    Ok(JsonBody(books.after(&at.after).before(&at.before).fetch(&db).await?))
}
// ANCHOR_END: list

// ANCHOR: main
#[tokio::main]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let db = local::connect("schema_tutorial_2").await?;
    db.drop().await?;
    schema![Book].plan(&db).await?.apply(&db).await?.complete()?;

    if std::env::args().any(|argument| argument == "serve") {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
        axum::serve(listener, app(db.clone())).await?;
    } else {
        ask(&client::Client::new(app(db.clone()))).await;
    }
    Ok(())
}
// ANCHOR_END: main

// ANCHOR: ask
/// Asks the service as a client does.
async fn ask(client: &client::Client) {
    for (title, isbn, year, price, genres) in [
        ("Frankenstein", "9780141439471", 1818, 899, json!(["horror", "science fiction"])),
        ("Dracula", "9780141439846", 1897, 999, json!(["horror"])),
        ("The Time Machine", "9780141439976", 1895, 799, json!(["science fiction"])),
    ] {
        let book = json!({ "title": title, "isbn": isbn, "year": year, "price": price, "genres": genres });
        client.send("POST", "/books", book).await;
    }

    let page = client.get("/books?genre=horror&limit=1").await;
    let next = page["next"].as_str().unwrap_or_default();
    let page = client.get(&format!("/books?genre=horror&limit=1&after={next}")).await;
    client.get("/books?genre=science%20fiction&max_price=850").await;

    let path = format!("/books/{}", page["items"][0]["id"].as_str().unwrap_or_default());
    client.send("PATCH", &path, json!({ "price": 599 })).await;
    client.send("PATCH", &path, json!({ "price": -1 })).await;
    client.send("DELETE", &path, Value::Null).await;
    client.get(&path).await;
}
// ANCHOR_END: ask
