use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[slug(from = title, max_len = 80)]
    #[serde(default, skip_serializing_if = "String::is_empty")]
    slug: String,
}

fn main() {}
