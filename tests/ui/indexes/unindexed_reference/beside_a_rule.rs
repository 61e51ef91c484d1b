use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
#[inverse(products = Product::parts, on_delete = restrict)]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, max = 100, inverse = products)]
    parts: Vec<Ref<Part>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "kits")]
struct Kit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, max = 100)]
    parts: Vec<Ref<Part>>,
}

/// Its own index serves as well.
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "boxes")]
#[index(parts)]
struct Box {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, child_refs, max = 100)]
    parts: Vec<Ref<Part>>,
}

fn main() {
    schema![Part, Product, Kit, Box];
}
