use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", check(lt(starts, starts)))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    starts: DateTime,
}

fn main() {}
