use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[updated_at]
    #[serde(default = "DateTime::now", skip_serializing_if = "is_recent")]
    updated: DateTime,
}

fn is_recent(_: &DateTime) -> bool {
    false
}

fn main() {}
