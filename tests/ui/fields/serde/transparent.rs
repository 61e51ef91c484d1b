use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(transparent)]
struct Money {
    cents: i64,
}

fn main() {}
