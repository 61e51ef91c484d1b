use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[shard_key(name, distinct(name = 50_000), allow(shard_key_scatter, reason = "few are read by their parent"))]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
    #[bound(max_len = 40)]
    name: String,
}

fn main() {}
