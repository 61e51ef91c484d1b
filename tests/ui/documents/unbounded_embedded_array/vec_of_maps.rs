use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    counts: Vec<std::collections::BTreeMap<String, i32>>,
}

fn main() {}
