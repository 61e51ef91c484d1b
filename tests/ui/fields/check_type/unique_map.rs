use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    #[check(unique_items)]
    scores: std::collections::BTreeMap<String, i32>,
}

fn main() {}
