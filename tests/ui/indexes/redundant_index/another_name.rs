use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sessions")]
#[index(at, ttl = "1d")]
#[index(at, ttl = "30d", name = "by_month")]
struct Session {
    #[serde(rename = "_id")]
    id: ObjectId,
    at: DateTime,
}

fn main() {}
