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
struct HostName {
    #[projection(of = Host)]
    name: String,
}

fn main() {}
