use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "scarce", read_only)]
struct Scarce {
    #[serde(rename = "_id")]
    id: i64,
    name: String,
}

fn main() {
    let _ = Scarce::update_by_id(1).set(Scarce::F.name, "bolt");
}
