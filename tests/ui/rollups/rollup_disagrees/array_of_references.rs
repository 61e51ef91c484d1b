use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")] id: ObjectId,
    #[computed(count(Product::hosts))] products: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")] id: ObjectId,
    #[relation(one_to_many, child_refs, max = 10)] hosts: Vec<Ref<Host>>,
}

fn main() {}
