use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    #[embed(flat)]
    #[serde(flatten)]
    place: Place,
}

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    lat: f64,
}

#[derive(Embed, Serialize, Deserialize)]
struct Trip {
    #[embed(flat)]
    #[serde(flatten)]
    from: Address,
    #[embed(flat)]
    #[serde(flatten)]
    to: Place,
}

fn main() {}
