use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle(Circle),
}

#[derive(Embed, Serialize, Deserialize)]
struct Circle {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
