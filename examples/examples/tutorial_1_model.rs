//! Chapter 1 of the tutorial: a model, the schema on a server, the first books, and two writes that are refused.
//!
//! `cargo run --example tutorial_1_model` starts a MongoDB server; with `MONGODB_URI` the program runs on another
//! server, and first drops the database `schema_tutorial_1`.

// ANCHOR: model
use schema_runtime::{local, prelude::*};

#[derive(Debug, Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
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
    genres: Vec<String>,
}
// ANCHOR_END: model

// ANCHOR: new
impl Book {
    fn new(title: &str, isbn: &str, year: i32, price: i64, genres: &[&str]) -> Self {
        Book {
            id: ObjectId::new(),
            title: title.to_owned(),
            isbn: isbn.to_owned(),
            year,
            price,
            genres: genres.iter().map(|genre| (*genre).to_owned()).collect(),
        }
    }
}
// ANCHOR_END: new

#[tokio::main]
async fn main() -> Result<()> {
    // ANCHOR: connect
    let db = local::connect("schema_tutorial_1").await?;
    db.drop().await?; // the books of an earlier run
    // ANCHOR_END: connect

    // ANCHOR: apply
    let schema = schema![Book];
    let plan = schema.plan(&db).await?;
    print!("{plan}");
    plan.apply(&db).await?.complete()?;
    print!("The second plan: {}", schema.plan(&db).await?);
    // ANCHOR_END: apply

    // ANCHOR: insert
    let frankenstein = Book::new("Frankenstein", "9780141439471", 1818, 899, &["horror", "science fiction"]);
    Book::insert(&db, &frankenstein).await?;

    let read = Book::get_by_id(&db, frankenstein.id).await?;
    println!("{} of {} costs {} cents", read.title, read.year, read.price);
    // ANCHOR_END: insert

    // ANCHOR: refused
    let again = Book::new("Frankenstein, again", "9780141439471", 1818, 899, &["horror"]);
    match Book::insert(&db, &again).await {
        Err(Error::DuplicateKey { index, .. }) => println!("refused by the index {index}"),
        other => other?,
    }

    let untitled = Book::new("", "9780141439488", 1826, -1, &[]);
    match Book::insert(&db, &untitled).await {
        Err(Error::DocumentInvalid { failures, .. }) => {
            for failure in failures {
                println!("refused: {failure}");
            }
        }
        other => other?,
    }
    println!("{} book is stored", Book::find(Filter::all()).count(&db).await?);
    // ANCHOR_END: refused
    Ok(())
}
