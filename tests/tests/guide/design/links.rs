//! The commands of links in both directions, and of delete rules.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    authors: Vec<Ref<Author>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(many_to_many, two_way, of = Book::authors, max = 500)]
    books: Vec<Ref<Book>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(notes = Note::post, on_delete = cascade)]
pub(crate) struct Post {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
pub(crate) struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    post: Ref<Post>,
    text: String,
}

#[tokio::test]
async fn the_page_shows_the_commands_of_a_link() -> Result<()> {
    let (db, log) = database_with_log(&schema![Book, Author]).await;
    let (book, author) = (Book { id: 1, title: "one".to_owned(), authors: vec![] }, Author { id: 1, books: vec![] });
    Book::insert(&db, &book).await?;
    Author::insert(&db, &author).await?;
    log.clear();
    let mut block = Block::read("design/links.md", 0);
    Book::AUTHORS.link(&db, &book, &author).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}

#[tokio::test]
async fn the_page_shows_the_commands_of_a_delete() -> Result<()> {
    let (db, log) = database_with_log(&schema![Post, Note]).await;
    Post::insert(&db, &Post { id: 1 }).await?;
    log.clear();
    let mut block = Block::read("design/links.md", 1);
    Note::insert(&db, &Note { id: 1, post: Ref::new(1), text: "x".to_owned() }).await?;
    block.take_all(&log);
    Post::delete_by_id(&db, 1).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
