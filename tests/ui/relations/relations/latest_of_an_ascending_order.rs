// 4 messages: each handle of the children.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shelves")]
#[inverse(books = Book::shelf)]
struct Shelf {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[relation(one_to_many, parent_ref, order = asc(title), inverse = books)]
    shelf: Ref<Shelf>,
}

fn main() {
    let shelf = Shelf { id: ObjectId::new() };
    let _ = shelf.books().latest(10);
    let _ = Shelf::BOOKS.latest(10);
    let _ = Book::of_shelf(shelf.id).latest(10);
    let _ = Book::SHELF.inverse().latest(10);
}
