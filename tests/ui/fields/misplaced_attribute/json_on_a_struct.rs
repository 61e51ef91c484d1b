use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[json(skip)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
