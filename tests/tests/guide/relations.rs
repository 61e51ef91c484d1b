//! Relations: the children of a document, and relations of many documents in one call.

use schema_runtime::{assert_commands, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
#[inverse(books = Book::author)]
struct Author {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i32,
    title: String,
    #[relation(one_to_many, parent_ref, order = asc(title))]
    author: Ref<Author>,
}
// ANCHOR_END: model

// ANCHOR: load
async fn titles_with_names(db: &Database) -> Result<Vec<(String, String)>> {
    let books = Book::find(Filter::all()).sort(Book::F.title.asc()).limit(50).fetch_all(db).await?;
    let authors = Book::AUTHOR.load(db, &books).await?.complete()?; // one command for all authors
    let name = |book| authors.of(book).first().map(|author| author.name.clone()).unwrap_or_default();
    Ok(books.iter().map(|book| (book.title.clone(), name(book))).collect())
}
// ANCHOR_END: load

// ANCHOR: children
async fn titles(db: &Database, author: &Author) -> Result<Vec<String>> {
    let books = author.books().fetch_all(db).await?;
    Ok(books.iter().map(|book| book.title.clone()).collect())
}
// ANCHOR_END: children

// ANCHOR: lookup
async fn authors_with_books(db: &Database) -> Result<Vec<(String, usize)>> {
    let authors = Author::find(Filter::all()).sort(Author::F.name.asc());
    let rows = Author::BOOKS.lookup(authors).fetch_all(db).await?; // one command for authors and books
    Ok(rows.iter().map(|(author, books)| (author.name.clone(), books.len())).collect())
}
// ANCHOR_END: lookup

#[tokio::test]
async fn books_and_authors() -> Result<()> {
    let db = database(&schema![Author, Book]).await;
    let [jane, mary] = [(1, "Jane"), (2, "Mary")].map(|(id, name)| Author { id, name: name.to_owned() });
    Author::insert_many(&db, [&jane, &mary]).await?;
    let book = |id, title: &str, author| Book { id, title: title.to_owned(), author: Ref::to(author) };
    Book::insert_many(&db, &[book(1, "Emma", &jane), book(2, "Matilda", &mary), book(3, "Sanditon", &jane)]).await?;

    let pairs = assert_commands!(db, == 2, { titles_with_names(&db).await })?;
    let expected = [("Emma", "Jane"), ("Matilda", "Mary"), ("Sanditon", "Jane")];
    assert_eq!(pairs, expected.map(|(title, name)| (title.to_owned(), name.to_owned())));
    assert_eq!(assert_commands!(db, == 1, { titles(&db, &jane).await })?, ["Emma", "Sanditon"]);
    let counts = assert_commands!(db, == 1, { authors_with_books(&db).await })?;
    assert_eq!(counts, [("Jane".to_owned(), 2), ("Mary".to_owned(), 1)]);

    let books = schema_runtime::preview(async { jane.books().fetch_all(&db).await }).await?;
    assert_shown("guides/relations.md", &books);
    let loaded = schema_runtime::preview(async { titles_with_names(&db).await }).await?;
    assert_shown("guides/relations.md", &loaded);
    Ok(())
}
