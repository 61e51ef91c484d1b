use schema_runtime::prelude::*;
use std::collections::BTreeSet;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    height: f64,
    name: String,
    #[bound(max_items = 10, max_len = 20)]
    tags: BTreeSet<String>,
}

fn main() {
    let _ = Person::F.height.modulo(2, 0);
}
