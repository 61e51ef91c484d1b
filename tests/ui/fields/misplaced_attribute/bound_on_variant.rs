use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Kind {
    #[bound(max_len = 10)]
    Home,
    Work,
}

fn main() {}
