use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "pages", capped(size = "1MiB"))]
struct Page {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    title: String,
    #[slug(from = title, max_len = 80)]
    slug: String,
}

fn main() {}
