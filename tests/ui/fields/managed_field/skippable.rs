use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[updated_at]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated: Option<DateTime>,
}

fn main() {}
