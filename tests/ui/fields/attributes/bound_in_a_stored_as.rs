use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(String)]
struct Email(#[bound(max_len = 60)] String);

fn main() {}
