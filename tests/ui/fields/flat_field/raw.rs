use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Profile {
    #[bound(max_bytes = 100)]
    settings: Document,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    profile: Profile,
}

fn main() {}
