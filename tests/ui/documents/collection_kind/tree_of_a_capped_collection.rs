use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "folders", capped(size = "1MiB"))]
struct Folder {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Folder>>,
    #[tree(path)]
    path: TreePath<Folder>,
}

fn main() {}
