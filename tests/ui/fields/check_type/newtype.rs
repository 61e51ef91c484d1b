use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Name(#[check(min = 1)] String);

fn main() {}
