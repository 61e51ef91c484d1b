use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "cheaps", view(of = Cheap))]
struct Cheap {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: i32,
}

fn main() {}
