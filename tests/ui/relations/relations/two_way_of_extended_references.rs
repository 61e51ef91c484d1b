use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct CategoryRef {
    id: Ref<Category>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "books")]
struct Book {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, by = id, max = 3, inverse = books)]
    categories: Vec<CategoryRef>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
