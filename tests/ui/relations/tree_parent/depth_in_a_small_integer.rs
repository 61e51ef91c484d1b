use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 100)]
    parent: Option<Ref<Node>>,
    #[tree(path)]
    path: TreePath<Node>,
    #[tree(depth)]
    depth: i8,
}

fn main() {}
