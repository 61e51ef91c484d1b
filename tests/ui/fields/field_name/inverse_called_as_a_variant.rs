use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
#[inverse(circles = Note::shape)]
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

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    shape: Ref<Shape>,
}

fn main() {}
