use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[version]
    #[check(min = 1)]
    version: i64,
}

fn main() {}
