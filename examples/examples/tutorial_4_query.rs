//! Chapter 4 of the tutorial: declared queries, the indexes that serve them, and a test that asserts it.
//!
//! `cargo run --example tutorial_4_query` starts a MongoDB server, asks the service and ends. With `MONGODB_URI` the
//! program runs on another server, and first drops the database `schema_tutorial_4`.
//! `cargo test -p schema-examples --example tutorial_4_query` runs the test.

#[path = "tutorial/client.rs"]
mod client;

use axum::{
    Router,
    extract::{Path, State},
    routing::get,
};
use schema_runtime::{
    Page, check_indexed, check_queries, local,
    prelude::*,
    web::{JsonBody, PageQuery},
};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books", new)]
#[query(by_isbn(isbn), one)]
#[query(of_genre(contains(genres)), order = asc(title), page = 2, select = Card)]
#[query(printed(between(year)), order = desc(year), limit = 10)]
struct Book {
    #[serde(rename = "_id")]
    #[auto]
    id: ObjectId,
    #[bound(max_len = 200)]
    title: String,
    #[index(unique)]
    isbn: String,
    year: i32,
    #[bound(max_items = 5, max_len = 30)]
    genres: Vec<String>,
}

/// The part of a book that a list shows.
#[derive(Projection, Serialize, Deserialize)]
#[projection(of = Book)]
struct Card {
    title: String,
    year: i32,
}
// ANCHOR_END: model

// ANCHOR: handlers
async fn by_isbn(State(db): State<Database>, Path(isbn): Path<String>) -> Result<JsonBody<Book>> {
    Ok(JsonBody(Book::by_isbn(&isbn).fetch_one(&db).await?))
}

async fn of_genre(
    State(db): State<Database>,
    Path(genre): Path<String>,
    at: PageQuery,
) -> Result<JsonBody<Page<Vec<Card>>>> {
    Ok(JsonBody(Book::of_genre(&genre).after(&at.after).fetch(&db).await?))
}
// ANCHOR_END: handlers

fn app(db: Database) -> Router {
    Router::new().route("/isbn/{isbn}", get(by_isbn)).route("/genres/{genre}", get(of_genre)).with_state(db)
}

/// Inserts the books of this chapter.
async fn insert_books(db: &Database) -> Result<()> {
    let books = [
        ("Frankenstein", "9780141439471", 1818, vec!["horror", "science fiction"]),
        ("Dracula", "9780141439846", 1897, vec!["horror"]),
        ("Carmilla", "9781782275848", 1872, vec!["horror"]),
        ("The Time Machine", "9780141439976", 1895, vec!["science fiction"]),
    ];
    let books = books.map(|(title, isbn, year, genres)| NewBook {
        title: title.into(),
        isbn: isbn.into(),
        year,
        genres: genres.into_iter().map(str::to_owned).collect(),
    });
    NewBook::insert_many(db, books).await.map(drop)
}

#[tokio::main]
async fn main() -> Result<()> {
    let db = local::connect("schema_tutorial_4").await?;
    db.drop().await?;
    // ANCHOR: plan
    let schema = schema![Book];
    let plan = schema.plan(&db).await?;
    print!("{plan}");
    plan.apply(&db).await?.complete()?;
    // ANCHOR_END: plan
    insert_books(&db).await?;

    let client = client::Client::new(app(db.clone()));
    client.get("/isbn/9780141439846").await;
    let first = client.get("/genres/horror").await;
    client.get(&format!("/genres/horror?after={}", first["next"].as_str().unwrap_or_default())).await;

    // ANCHOR: check
    println!("\nqueries without an index: {}", check_queries(&schema, &db).await?.len());
    let by_title = Book::find(Book::F.title.eq("Dracula"));
    println!("a read by the title: {:?}", check_indexed(&by_title, &db).await?);
    // ANCHOR_END: check
    Ok(())
}

// ANCHOR: test
#[cfg(test)]
mod tests {
    use schema_runtime::{assert_commands, assert_indexed, assert_queries_indexed};

    use super::*;

    #[tokio::test]
    async fn each_query_has_an_index() -> Result<()> {
        let db = local::connect("schema_tutorial_4_test").await?;
        db.drop().await?;
        let schema = schema![Book];
        schema.plan(&db).await?.apply(&db).await?.complete()?;
        insert_books(&db).await?;

        assert_queries_indexed(&schema, &db).await;
        assert_indexed(&Book::find(Book::F.year.gte(1890)), &db).await;
        let page = assert_commands!(db, == 1, { Book::of_genre("horror").fetch(&db).await })?;
        assert_eq!(page.items.len(), 2);
        Ok(())
    }
}
// ANCHOR_END: test
