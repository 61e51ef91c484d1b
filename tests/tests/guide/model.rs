//! A model: a struct with a collection of its own.

use schema_runtime::{prelude::*, preview, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i32,
    #[bound(max_len = 200)]
    title: String,
    #[index(unique)]
    isbn: String,
    #[serde(default)]
    pages: Option<u32>,
    #[bound(max_items = 10, max_len = 30)]
    genres: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    authors: Vec<Author>,
}

#[derive(Debug, PartialEq, Embed, Serialize, Deserialize)]
struct Author {
    name: String,
    born: i32,
}
// ANCHOR_END: model

fn emma() -> Book {
    let author = Author { name: "Jane Austen".to_owned(), born: 1775 };
    let (title, isbn) = ("Emma".to_owned(), "9780141439587".to_owned());
    Book { id: 1, title, isbn, pages: None, genres: vec!["novel".to_owned()], authors: vec![author] }
}

// ANCHOR: refused
async fn refused(db: &Database) -> Result<()> {
    Book::insert(db, &emma()).await?;
    match Book::insert(db, &Book { id: 2, ..emma() }).await {
        Err(Error::DuplicateKey { fields, .. }) => assert_eq!(fields, ["isbn"]),
        other => other?,
    }
    let long = Book { id: 3, title: "E".repeat(201), ..emma() };
    match Book::insert(db, &long).await {
        Err(Error::BoundExceeded { field, bound, size, .. }) => assert_eq!((&*field, bound, size), ("title", 200, 201)),
        other => other?,
    }
    Ok(())
}
// ANCHOR_END: refused

#[tokio::test]
async fn a_struct_is_a_collection() -> Result<()> {
    let db = database(&schema![Book]).await;
    assert_shown("guides/model.md", &preview(Book::insert(&db, &emma())).await?);
    refused(&db).await?;
    assert_eq!(Book::find(Book::F.authors.name.eq("Jane Austen")).fetch_all(&db).await?, [emma()]);

    // The validator judges the writes of other programs.
    let foreign = Book::collection(&db).clone_with_type::<schema_runtime::bson::Document>();
    assert!(foreign.insert_one(doc! { "_id": 7, "title": "no isbn" }).await.is_err());
    Ok(())
}
