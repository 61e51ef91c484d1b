use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[query(named(name), order = desc(score), page = 20)]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[hidden]
    score: Hidden<i32>,
}

fn main() {}
