use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
    #[tree(ancestors)]
    ancestors: Vec<Ref<Shop>>,
}

fn main() {}
