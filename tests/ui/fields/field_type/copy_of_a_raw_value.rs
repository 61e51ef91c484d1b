use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "makers")]
struct Maker {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_bytes = 40)]
    #[copied_to(Post::meta)]
    meta: Document,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    maker: Ref<Maker>,
    #[bound(max_bytes = 40)]
    #[denormalize(from = maker.meta)]
    meta: Document,
}

fn main() {}
