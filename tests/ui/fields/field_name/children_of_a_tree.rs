use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "categories")]
#[inverse(children = Product::category)]
struct Category {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[tree(parent, max_depth = 16)]
    parent: Option<Ref<Category>>,
}

fn main() {}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    category: Ref<Category>,
}
