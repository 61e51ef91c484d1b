use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
    #[tree(depth)]
    depth: i32,
}

fn main() {}
