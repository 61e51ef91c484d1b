use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: i64,
    #[unversioned]
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
    #[version]
    version: i64,
}

fn main() {}
