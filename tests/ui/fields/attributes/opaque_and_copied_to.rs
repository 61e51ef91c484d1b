use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[opaque(max_bytes = 1_000)]
    #[copied_to(LogMsg::settings)]
    settings: String,
}

fn main() {}
