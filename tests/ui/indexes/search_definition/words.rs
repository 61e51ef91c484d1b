// 9 messages: a message for each model.
use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "bares")]
#[search_index(title)]
struct Bare {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "forms")]
#[search_index(title = words)]
struct Form {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "misspelts")]
#[search_index(title = text(analyser = "lucene.norwegian"))]
struct Misspelt {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "facets")]
#[search_index(brand = facet(10))]
struct Facet {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "emptys")]
#[search_index(name = "products")]
struct Empty {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "dissimilars")]
#[vector_index(embedding, dimensions = 768)]
struct Dissimilar {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "flats")]
#[vector_index(embedding, dimensions = 0, similarity = cosine)]
struct Flat {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "angles")]
#[vector_index(embedding, dimensions = 768, similarity = cosinus)]
struct Angle {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "twos")]
#[vector_index(title, embedding, dimensions = 768, similarity = cosine)]
struct Two {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    brand: String,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
}

fn main() {}
