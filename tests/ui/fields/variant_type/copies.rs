use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Text { host: HostName },
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct HostName {
    host: Ref<Host>,
    #[denormalize(from = host.name, snapshot)]
    name: String,
}

fn main() {}
