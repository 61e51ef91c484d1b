use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[reference(may_dangle)]
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Node>>,
    #[tree(ancestors)]
    ancestors: Vec<Ref<Node>>,
}

fn main() {}
