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
