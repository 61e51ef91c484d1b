use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "sessions")]
struct Session {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(ttl = 30)]
    expires: DateTime,
}

fn main() {}
