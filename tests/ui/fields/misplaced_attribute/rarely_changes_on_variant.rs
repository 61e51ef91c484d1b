use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Colour {
    #[rarely_changes]
    Red,
    Green,
}

fn main() {}
