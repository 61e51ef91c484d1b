use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Projection, Serialize, Deserialize)]
#[projection(of = Host)]
struct Card<T> {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: T,
}

fn main() {}
