use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[subset(of = Note::shape, keep = 3)]
        notes: Vec<Line>,
    },
}

#[derive(Embed, Serialize, Deserialize)]
struct Line { text: String }

fn main() {}
