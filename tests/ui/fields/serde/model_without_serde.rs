// 2 messages: one for each of serde's derives.
use schema_runtime::prelude::*;

#[derive(Model)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
