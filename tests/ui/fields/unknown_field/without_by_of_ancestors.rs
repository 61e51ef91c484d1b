use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Category::ancestors)]
    name: String,
    #[tree(parent, max_depth = 8)]
    parent: Option<Ref<Category>>,
    #[tree(ancestors)]
    ancestors: Vec<Ancestor>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Ancestor {
    category: Ref<Category>,
    #[denormalize(from = category.name)]
    name: String,
}

fn main() {}
