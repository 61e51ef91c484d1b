use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Node>>,
    path: TreePath<Node>,
}

fn main() {}
