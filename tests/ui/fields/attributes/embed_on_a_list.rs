use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(max = 20)]
    addresses: Vec<Address>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

fn main() {}
