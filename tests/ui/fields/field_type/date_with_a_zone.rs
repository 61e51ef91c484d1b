use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "meetings")]
struct Meeting {
    #[serde(rename = "_id")]
    id: ObjectId,
    starts: jiff::Zoned,
}

fn main() {}
