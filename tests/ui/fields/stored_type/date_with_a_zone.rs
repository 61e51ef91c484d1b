use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(jiff::Zoned)]
struct Taken(jiff::Zoned);

fn main() {}
