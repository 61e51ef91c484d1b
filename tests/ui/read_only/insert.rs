// 3 messages: rustc asks for the bound of an `async fn` at the call, of the future and where the future is used.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "scarce", read_only)]
struct Scarce {
    #[serde(rename = "_id")]
    id: i64,
}

fn insert(db: &Database, scarce: &Scarce) {
    drop(Scarce::insert(db, scarce));
}

fn main() {}
