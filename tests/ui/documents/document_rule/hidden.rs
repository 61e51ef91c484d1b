use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", check(lt(starts, ends)))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    starts: Hidden<i64>,
    ends: i64,
}

fn main() {}
