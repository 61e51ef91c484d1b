use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16, on_delete = nullify)]
    parent: Option<Ref<Category>>,
}

fn main() {}
