use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Tag {
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref, by = name)]
    tag: Tag,
}

fn main() {}
