use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[check(more_than = 0, less_than = 1)]
    count: i32,
}

fn main() {}
