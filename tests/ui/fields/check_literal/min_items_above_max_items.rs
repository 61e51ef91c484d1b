use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    #[check(min_items = 5)]
    tags: Vec<String>,
}

fn main() {}
