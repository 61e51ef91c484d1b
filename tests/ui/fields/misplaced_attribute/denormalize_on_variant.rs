use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Colour {
    #[denormalize(from = part.colour)]
    Red,
    Green,
}

fn main() {}
