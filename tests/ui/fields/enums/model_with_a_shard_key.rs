use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[shard_key(hashed(id))]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
        radius: f64,
    },
}

fn main() {}
