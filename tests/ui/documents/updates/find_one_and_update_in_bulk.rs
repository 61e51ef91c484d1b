use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i64,
    qty: i32,
}

fn main() {
    let _ = Part::bulk().update(Part::find_one_and_update(Part::F.qty.gt(0)).inc(Part::F.qty, -1));
}
