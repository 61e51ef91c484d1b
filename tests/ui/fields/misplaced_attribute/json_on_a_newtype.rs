use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Name(#[json(skip)] #[bound(max_len = 20)] String);

fn main() {}
