use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts", allow(aggregate_kept, reason = "a report compares the values"))]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
