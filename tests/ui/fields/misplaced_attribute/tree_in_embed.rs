use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
