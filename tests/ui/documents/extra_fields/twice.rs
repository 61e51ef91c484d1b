use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[extra]
    #[serde(skip)]
    rest: Document,
    #[extra]
    #[serde(skip)]
    more: Document,
}

fn main() {}
