use schema_runtime::prelude::*;

#[derive(Projection, Deserialize)]
struct PostTitle {
    title: String,
}

fn main() {}
