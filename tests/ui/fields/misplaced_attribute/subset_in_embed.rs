use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[subset(of = LogMsg::host, keep = 100)]
    recent: Vec<String>,
}

fn main() {}
