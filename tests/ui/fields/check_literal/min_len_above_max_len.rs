use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 3)]
    #[check(min_len = 5)]
    name: String,
}

fn main() {}
