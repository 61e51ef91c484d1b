use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
enum Shape {
    Circle,
    Square,
}

fn main() {}
