use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[index(ttl = "1h")]
    #[serde(rename = "_id")]
    id: DateTime,
}

fn main() {}
