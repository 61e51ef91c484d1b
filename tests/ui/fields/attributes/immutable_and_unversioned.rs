use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[unversioned]
    count: i64,
    #[version]
    version: i64,
}

fn main() {}
