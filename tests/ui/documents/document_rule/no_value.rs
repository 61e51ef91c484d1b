use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events", check(lt(starts, ends)))]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_items = 3)]
    starts: Vec<i64>,
    ends: i64,
}

fn main() {}
