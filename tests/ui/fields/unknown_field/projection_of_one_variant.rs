use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
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

#[derive(Projection, Deserialize)]
#[projection(of = Shape)]
struct Radius {
    radius: f64,
}

fn main() {}
