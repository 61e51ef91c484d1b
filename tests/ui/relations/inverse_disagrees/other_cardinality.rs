use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, max = 3, inverse = books)]
    authors: Vec<Ref<Author>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, two_way, of = Book::authors, max = 5)]
    books: Vec<Ref<Book>>,
}

fn main() {}
