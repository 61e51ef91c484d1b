use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
#[inverse(kids = Node::parent, on_delete = nullify)]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Node>>,
}

fn main() {}
