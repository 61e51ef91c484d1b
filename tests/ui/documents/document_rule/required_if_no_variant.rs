use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum State {
    New,
    Paid,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "events")]
struct Event {
    #[serde(rename = "_id")]
    id: ObjectId,
    state: State,
    #[check(required_if(state = "Payed"))]
    paid_at: Option<DateTime>,
}

fn main() {}
