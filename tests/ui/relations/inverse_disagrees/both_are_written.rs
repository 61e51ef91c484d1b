use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, inverse = books, max = 10)]
    authors: Vec<Ref<Author>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, inverse = authors, max = 10)]
    books: Vec<Ref<Book>>,
}

fn main() {}
