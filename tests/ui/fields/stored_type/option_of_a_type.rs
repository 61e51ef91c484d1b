use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(Option<String>)]
struct Email(Option<String>);

fn main() {}
