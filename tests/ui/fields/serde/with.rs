use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[serde(with = "schema_runtime::bson::serde_helpers")]
    title: i64,
}

fn main() {}
