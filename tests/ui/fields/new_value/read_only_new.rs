use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users", read_only, new)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
