use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
struct Comment {
    #[bound(max_len = 101)]
    #[serde(rename = "_id")]
    id: String,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Comment>>,
    #[tree(path)]
    path: TreePath<Comment>,
}

fn main() {}
