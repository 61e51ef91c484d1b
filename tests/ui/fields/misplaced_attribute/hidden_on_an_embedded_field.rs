use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Login {
    #[hidden]
    password: Hidden<String>,
}

fn main() {}
