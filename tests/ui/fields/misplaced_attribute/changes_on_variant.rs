use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Colour {
    #[changes(seldom)]
    Red,
    Green,
}

fn main() {}
