use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[opaque(max_bytes = 20_000_000)]
    image: schema_runtime::bson::Document,
}

fn main() {}
