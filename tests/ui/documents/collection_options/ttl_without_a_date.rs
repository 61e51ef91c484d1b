use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sessions", clustered(ttl = "1h"))]
struct Session {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
