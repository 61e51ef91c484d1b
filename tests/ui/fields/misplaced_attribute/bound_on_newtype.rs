use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[bound(max_len = 60)]
struct Name(String);

fn main() {}
