// 2 messages: each field is judged by itself.
use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    lat: f64,
    height: f32,
}

#[derive(Embed, Serialize, Deserialize)]
struct View {
    lat: f32,
}

#[derive(Embed, Serialize, Deserialize)]
struct Height {
    height: f64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "peaks")]
struct Peak {
    #[serde(rename = "_id")]
    id: i64,
    score: f64,
    place: Place,
    rank: i32,
}

#[derive(Projection, Deserialize)]
#[projection(of = Peak)]
struct PeakView {
    score: f32,
    place: View,
}

/// Each holds all that is stored.
#[derive(Projection, Deserialize)]
#[projection(of = Peak)]
struct Right {
    place: Height,
    rank: f32,
}

fn main() {}
