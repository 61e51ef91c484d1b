use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    #[rarely_changes]
    id: ObjectId,
}

fn main() {}
