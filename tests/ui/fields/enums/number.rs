use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[repr(u8)]
enum State {
    Open,
    Done,
}

fn main() {}
