use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    address: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Host)]
struct HostAddress {
    address: std::net::IpAddr,
}

fn main() {}
