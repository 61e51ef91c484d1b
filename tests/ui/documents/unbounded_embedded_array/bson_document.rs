use schema_runtime::prelude::*;

use schema_runtime::bson::Document;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    details: Document,
}

fn main() {}
