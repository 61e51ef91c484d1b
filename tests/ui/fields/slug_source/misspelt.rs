use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[slug(from = titel, max_len = 80)]
    slug: String,
}

fn main() {}
