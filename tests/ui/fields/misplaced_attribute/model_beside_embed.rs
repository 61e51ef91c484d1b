use schema_runtime::prelude::*;

#[derive(Model, Embed, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
