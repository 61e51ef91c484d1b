use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", capped(size = "1MiB", max = 2_147_483_647))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
