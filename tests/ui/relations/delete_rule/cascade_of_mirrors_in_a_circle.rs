use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, two_way, inverse = children)]
    parent: Option<Ref<Node>>,
    #[relation(one_to_many, two_way, of = Node::parent, max = 100, on_delete = cascade)]
    children: Vec<Ref<Node>>,
}

fn main() {
    let _ = schema![Node];
}
