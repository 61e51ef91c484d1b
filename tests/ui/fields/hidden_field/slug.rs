use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    #[bound(max_len = 60)]
    title: Hidden<String>,
    #[slug(from = title, max_len = 80)]
    slug: String,
}

fn main() {}
