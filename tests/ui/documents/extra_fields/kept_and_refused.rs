use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", unknown_fields = refuse)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

fn main() {}
