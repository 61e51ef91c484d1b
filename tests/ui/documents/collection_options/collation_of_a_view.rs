use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "named", view(of = Product), collation(locale = "nb"))]
struct Named {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
