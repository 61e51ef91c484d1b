use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Embed, Serialize, Deserialize)]
struct Used {
    #[reference]
    part: Ref<Part>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Other {
    #[reference(may_dangel)]
    part: Ref<Part>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[reference(may_dangle)]
    #[relation(one_to_many, child_refs, by = part, max = 20)]
    used: Vec<Used>,
    #[reference(may_dangle)]
    #[relation(one_to_few, embed, max = 20)]
    labels: Vec<Label>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Label {
    text: String,
}

fn main() {}
