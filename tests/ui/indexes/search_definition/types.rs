// 15 messages: a message for each field.
use std::collections::BTreeMap;
use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Chapter {
    title: String,
    #[bound(max_items = 3)]
    meaning: Vec<f64>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
#[search_index(name = "unknown", brandname = text, chapters.heading = text)]
#[search_index(name = "words", price = text, chapters = autocomplete)]
#[search_index(name = "facets", sold = facet, weight = facet, sizes = facet)]
#[vector_index(title, name = "no_list", dimensions = 768, similarity = cosine)]
#[vector_index(tags, name = "strings", dimensions = 768, similarity = cosine)]
#[vector_index(counts, name = "integers", dimensions = 3, similarity = cosine)]
#[vector_index(embedding, name = "short", dimensions = 1_024, similarity = cosine)]
#[vector_index(chapters.meaning, name = "inside", dimensions = 3, similarity = cosine)]
#[vector_index(embedding, name = "filters", dimensions = 768, similarity = cosine, filter(sizes, weight, brandname))]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    price: i64,
    sold: bool,
    weight: Decimal128,
    #[bound(max_items = 3)]
    sizes: BTreeMap<String, i32>,
    #[bound(max_items = 3)]
    tags: Vec<String>,
    #[bound(max_items = 3)]
    counts: Vec<i32>,
    #[bound(max_items = 768)]
    embedding: Vec<f64>,
    #[relation(one_to_few, embed, max = 3)]
    chapters: Vec<Chapter>,
}

fn main() {}
