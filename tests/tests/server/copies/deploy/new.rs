//! The new version: books hold the city too and the country no more, shelves hold the name as `title`, cards hold the
//! name as `label`.

use mongodb::Database;
use schema_runtime::{Schema, prelude::*};

use super::AUTHORS;

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "authors")]
pub(super) struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[copied_to(Book::name, fan_out = 500)]
    #[copied_to(Shelf::authors)]
    #[copied_to(Card::label, fan_out = 500)]
    name: String,
    #[copied_to(Book::city, fan_out = 500)]
    city: String,
    country: String,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "books")]
pub(super) struct Book {
    #[serde(rename = "_id")]
    id: i64,
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    name: String,
    // An insert of the old version does not have the city.
    #[denormalize(from = author.city)]
    city: Option<String>,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(super) struct AuthorRef {
    id: Ref<Author>,
    #[denormalize(from = id.name)]
    title: Option<String>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "shelves")]
pub(super) struct Shelf {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, by = id, max = 200)]
    authors: Vec<AuthorRef>,
}

#[derive(Model, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[model(collection = "cards")]
pub(super) struct Card {
    #[serde(rename = "_id")]
    id: i64,
    author: Ref<Author>,
    #[denormalize(from = author.name)]
    label: Option<String>,
}

pub(super) fn schema() -> Schema {
    schema![Author, Book, Shelf, Card]
}

pub(super) fn book(id: i64, author: i64) -> Book {
    Book { id, author: Ref::new(author), name: String::new(), city: None }
}

fn reference(author: i64) -> AuthorRef {
    AuthorRef { id: Ref::new(author), title: None }
}

/// Does the write of a round.
pub(super) async fn write(db: &Database, round: u64, id: i64) {
    let author = i64::try_from(round).unwrap() % AUTHORS;
    let value = format!("new {id}");
    let of_author = || Author::update_by_id(author);
    match round % 8 {
        0 => drop(of_author().set(Author::F.name, &value).execute(db).await.unwrap()),
        1 => drop(of_author().set(Author::F.city, &value).execute(db).await.unwrap()),
        2 => drop(of_author().set(Author::F.country, &value).execute(db).await.unwrap()),
        3 => Book::insert(db, &book(id, author)).await.unwrap(),
        4 => Shelf::insert(db, &Shelf { id, authors: vec![reference(author)] }).await.unwrap(),
        5 => drop(
            Shelf::update_by_id(author)
                .push(Shelf::F.authors, reference((author + 1) % AUTHORS))
                .execute(db)
                .await
                .unwrap(),
        ),
        6 => Card::insert(db, &Card { id, author: Ref::new(author), label: None }).await.unwrap(),
        _ => drop(
            Book::update_by_id(author).set(Book::F.author, Ref::new((author + 3) % AUTHORS)).execute(db).await.unwrap(),
        ),
    }
}
