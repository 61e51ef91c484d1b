use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", collation(locale = "nb"))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 32)]
    parent: Option<Ref<Comment>>,
    #[tree(path)]
    path: TreePath<Comment>,
}

fn main() {}
