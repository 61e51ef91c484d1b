use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(i64)]
struct Edition(i64);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[version]
    edition: Edition,
}

fn main() {}
