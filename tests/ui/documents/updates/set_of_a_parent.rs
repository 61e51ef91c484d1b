use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
}

fn main() {
    let _ = Category::update_by_id(ObjectId::new()).set(Category::F.parent, None);
}
