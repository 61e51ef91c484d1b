use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users", new(Debug, 3))]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
