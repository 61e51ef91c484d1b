use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(logmsgs = LogMg::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
