use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "measurements", insert_only)]
struct Measurement {
    #[serde(rename = "_id")]
    id: i64,
}

fn delete(db: &Database) {
    drop(Measurement::delete_by_id(db, 1));
}

fn main() {}
