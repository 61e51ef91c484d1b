use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events")]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[check(required_if(state = "paid"))]
    paid_at: Option<DateTime>,
}

fn main() {}
