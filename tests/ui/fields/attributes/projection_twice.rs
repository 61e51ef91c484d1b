use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Host)]
#[projection(of = Host)]
struct HostName {
    name: String,
}

fn main() {}
