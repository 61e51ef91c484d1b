use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Post {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[bound(max_items = 3)]
    tags: Vec<String>,
}

fn main() {}
