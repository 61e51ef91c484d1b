use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[relation(one_to_few, embed, max = 20)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
