use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, one_way, max = 500, inverse = books)]
    categories: Vec<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[inverse(books = Book::categories, at_most = 20)]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
