use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[check(one_of("open"))]
    state: State,
}

#[derive(Embed, Serialize, Deserialize)]
enum State {
    Open,
}

fn main() {}
