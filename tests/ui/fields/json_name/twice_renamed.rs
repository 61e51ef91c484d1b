use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[json(rename = "name")]
    first: String,
    #[json(rename = "name")]
    nick: String,
}

fn main() {}
