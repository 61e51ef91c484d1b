use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Email(#[stored_as(String)] String);

fn main() {}
