use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(path)]
    path: TreePath<Category>,
}

fn main() {}
