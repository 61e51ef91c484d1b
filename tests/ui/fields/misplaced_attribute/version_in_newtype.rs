use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Revision(#[version] i64);

fn main() {}
