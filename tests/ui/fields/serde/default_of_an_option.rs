use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Post {
    #[serde(default = "five")]
    stars: Option<i32>,
}

fn five() -> Option<i32> {
    Some(5)
}

fn main() {}
