use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(max(Comment::post, depth))]
    deepest: Option<i32>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments")]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    post: Ref<Post>,
    #[tree(parent, max_depth = 10)]
    parent: Option<Ref<Comment>>,
    #[tree(path)]
    path: TreePath<Comment>,
    #[tree(depth)]
    depth: i32,
}

fn main() {}
