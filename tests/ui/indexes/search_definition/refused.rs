// 6 messages: a message for each index.
use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "longs")]
#[vector_index(embedding, dimensions = 10_000, similarity = cosine)]
struct Long {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "unnameds")]
#[search_index(title = text)]
#[search_index(brand = facet)]
struct Unnamed {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sames")]
#[search_index(name = "products", title = text)]
#[vector_index(embedding, name = "products", dimensions = 768, similarity = cosine)]
struct Same {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "namelesss")]
#[search_index(name = "", title = text)]
struct Nameless {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "twices")]
#[search_index(title = text, title = autocomplete, title = text)]
struct Twice {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "owns")]
#[vector_index(embedding, dimensions = 768, similarity = cosine, filter(embedding))]
struct Own {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

fn main() {}
