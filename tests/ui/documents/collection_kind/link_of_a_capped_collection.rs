use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, inverse = books, max = 5)]
    authors: Vec<Ref<Author>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors", capped(size = "1MiB"))]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, of = Book::authors, max = 50)]
    books: Vec<Ref<Book>>,
}

fn main() {}
