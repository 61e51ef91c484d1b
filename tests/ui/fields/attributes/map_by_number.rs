use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    counts: std::collections::BTreeMap<i32, String>,
}

fn main() {}
