use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[json(rename = "id")]
    name: String,
    #[json(rename = "_id")]
    nick: String,
}

fn main() {}
