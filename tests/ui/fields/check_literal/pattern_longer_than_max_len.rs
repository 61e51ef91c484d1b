use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 3)]
    #[check(pattern = "^[A-Z]{5}$")]
    code: String,
}

fn main() {}
