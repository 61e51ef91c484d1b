use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "_id")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
    },
}

fn main() {}
