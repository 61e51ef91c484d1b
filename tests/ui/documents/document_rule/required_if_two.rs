use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events")]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    state: String,
    #[check(required_if(state = "paid", id = 3))]
    paid_at: Option<DateTime>,
}

fn main() {}
