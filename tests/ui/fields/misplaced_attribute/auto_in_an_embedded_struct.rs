use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Disk {
    #[auto]
    id: ObjectId,
}

fn main() {}
