use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
#[query(recent(title), order = published desc, limit = 9)]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    published: DateTime,
}

fn main() {}
