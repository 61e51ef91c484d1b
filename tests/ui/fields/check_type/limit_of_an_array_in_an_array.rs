use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    #[check(max = 5)]
    grid: Vec<[i32; 3]>,
}

fn main() {}
