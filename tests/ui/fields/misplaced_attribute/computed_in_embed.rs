use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Counts { #[computed(count(LogMsg::host))] messages: i64 }

fn main() {}
