use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[index(city)]
struct Address {
    city: String,
}

fn main() {}
