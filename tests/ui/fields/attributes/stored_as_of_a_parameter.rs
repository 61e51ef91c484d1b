use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(T)]
struct Wrapper<T>(T);

fn main() {}
