use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    A {
        #[serde(rename = "_id")]
        id: i32,
        radius: i32,
    },
    B {
        #[serde(rename = "_id")]
        id: i32,
        width: i32,
    },
}

fn main() {}
