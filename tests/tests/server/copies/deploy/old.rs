//! The old version: books hold an author's name and country, shelves a name; cards hold no copy.

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
    pub(super) name: String,
    city: String,
    #[copied_to(Book::country, fan_out = 500)]
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
    #[denormalize(from = author.country)]
    country: String,
}

#[derive(Embed, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub(super) struct AuthorRef {
    id: Ref<Author>,
    #[denormalize(from = id.name)]
    name: String,
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
}

pub(super) fn schema() -> Schema {
    schema![Author, Book, Shelf, Card]
}

pub(super) fn author(id: i64) -> Author {
    Author { id, name: format!("name {id}"), city: format!("city {id}"), country: format!("country {id}") }
}

pub(super) fn book(id: i64, author: i64) -> Book {
    Book { id, author: Ref::new(author), name: String::new(), country: String::new() }
}

pub(super) fn shelf(id: i64, author: i64) -> Shelf {
    Shelf { id, authors: vec![AuthorRef { id: Ref::new(author), name: String::new() }] }
}

pub(super) fn card(id: i64, author: i64) -> Card {
    Card { id, author: Ref::new(author) }
}

/// Does the write of a round.
pub(super) async fn write(db: &Database, round: u64, id: i64) {
    let author = i64::try_from(round).unwrap() % AUTHORS;
    let value = format!("old {id}");
    let of_author = || Author::update_by_id(author);
    match round % 9 {
        0 => drop(of_author().set(Author::F.name, &value).execute(db).await.unwrap()),
        // A field that only the new version copies: neither a version nor a mark shows the change.
        1 => drop(of_author().set(Author::F.city, &value).execute(db).await.unwrap()),
        2 => drop(of_author().set(Author::F.name, &value).set(Author::F.city, &value).execute(db).await.unwrap()),
        3 => drop(of_author().set(Author::F.country, &value).set(Author::F.city, &value).execute(db).await.unwrap()),
        4 => Book::insert(db, &book(id, author)).await.unwrap(),
        5 => Shelf::insert(db, &shelf(id, author)).await.unwrap(),
        6 => Card::insert(db, &card(id, author)).await.unwrap(),
        7 => drop(
            Card::update_by_id(author).set(Card::F.author, Ref::new((author + 1) % AUTHORS)).execute(db).await.unwrap(),
        ),
        _ => drop(
            Book::update_by_id(author).set(Book::F.author, Ref::new((author + 2) % AUTHORS)).execute(db).await.unwrap(),
        ),
    }
}
