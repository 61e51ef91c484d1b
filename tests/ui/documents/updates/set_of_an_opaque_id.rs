use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    #[opaque(max_bytes = 40)]
    id: String,
    name: String,
}

fn main() {
    let _ = Part::update_one(Part::F.name.eq("a")).set(Part::F.id, "b".to_owned());
}
