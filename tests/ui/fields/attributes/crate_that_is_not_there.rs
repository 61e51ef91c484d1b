use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", crate = odm)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    address: Address,
}

#[derive(Embed, Serialize, Deserialize)]
#[embed(crate = schema_runtime)]
struct Address {
    city: String,
}

fn main() {}
