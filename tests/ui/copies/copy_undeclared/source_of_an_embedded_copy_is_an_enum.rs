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

#[derive(Embed, Serialize, Deserialize)]
struct ShapeCopy {
    id: Ref<Shape>,
    #[denormalize(from = id.name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    shape: ShapeCopy,
}

fn main() {}
