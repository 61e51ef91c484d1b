use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[serde(rename = "size")]
        radius: i32,
    },
    Square {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[serde(rename = "size")]
        side: i32,
    },
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Shape)]
struct Row {
    #[sum(radius)]
    radii: i64,
}

fn main() {
    let _ = Shape::aggregate::<Row>();
}
