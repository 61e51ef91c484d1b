use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    lat: f64,
}

#[derive(Embed, Serialize, Deserialize)]
struct Stay {
    year: i32,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Stay(Stay),
    Nothing,
}

fn main() {}
