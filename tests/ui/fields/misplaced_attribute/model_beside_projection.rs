use schema_runtime::prelude::*;

#[derive(Model, Projection, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[projection(of = Host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
