use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[bound(max_len = 80)]
        name: String,
    },
    Square {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[bound(max_len = 80)]
        name: String,
    },
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    shape: Ref<Shape>,
    #[denormalize(from = shape.name)]
    name: String,
}

fn main() {}
