use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shops")]
#[inverse(of_owner = Product::shop)]
struct Shop {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    owner: Ref<Owner>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    shop: Ref<Shop>,
}

fn main() {}
