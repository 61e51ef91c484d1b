use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
#[query(of_text(text), limit = 5)]
#[index(text, hidden)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: i64,
    text: String,
}

fn main() {}
