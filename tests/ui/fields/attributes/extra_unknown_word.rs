use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[extra(max_len = 40)]
    #[serde(skip)]
    rest: Document,
}

fn main() {}
