use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[bound(max_len = 60)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
