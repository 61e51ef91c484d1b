use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Key {
    #[serde(rename = "_id")]
    value: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    key: Key,
}

fn main() {}
