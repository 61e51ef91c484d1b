use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    lat: f64,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Event {
    Stay {
        #[embed(flat)]
        #[serde(flatten)]
        place: Place,
    },
    Nothing,
}

fn main() {}
