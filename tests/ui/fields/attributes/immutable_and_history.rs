use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[history(keep = 5)]
    prices: Vec<i64>,
}

fn main() {}
