use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[serde(deny_unknown_fields)]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    home: Address,
}

fn main() {}
