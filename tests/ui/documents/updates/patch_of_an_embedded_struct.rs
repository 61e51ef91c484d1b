use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    city: String,
    country: String,
}

#[derive(Patch)]
#[patch(Place)]
struct EditPlace {
    city: Option<String>,
    country: Option<String>,
}

fn main() {}
