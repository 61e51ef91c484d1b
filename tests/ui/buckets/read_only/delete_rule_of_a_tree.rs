use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes", insert_only)]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16, on_delete = cascade)]
    parent: Option<Ref<Node>>,
}

fn main() {}
