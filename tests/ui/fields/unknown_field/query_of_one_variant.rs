use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
#[query(wide(radius), limit = 9)]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
        radius: f64,
    },
    Square {
        #[serde(rename = "_id")]
        id: ObjectId,
        side: f64,
    },
}

fn main() {}
