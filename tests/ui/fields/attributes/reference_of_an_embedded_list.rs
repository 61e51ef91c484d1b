use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[reference(may_dangle)]
    #[relation(one_to_few, embed, max = 20)]
    labels: Vec<Label>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Label {
    text: String,
}

fn main() {}
