use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind")]
enum Shape {
    HTTPBody {
        #[serde(rename = "_id")]
        id: ObjectId,
        radius: f64,
    },
    HttpBody {
        #[serde(rename = "_id")]
        id: ObjectId,
        side: f64,
    },
}

fn main() {}
