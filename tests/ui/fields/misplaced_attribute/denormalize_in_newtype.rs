use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Name(#[denormalize(from = part.name)] String);

fn main() {}
