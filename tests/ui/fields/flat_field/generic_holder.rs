use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Named<T> {
    name: String,
    #[embed(flat)]
    #[serde(flatten)]
    value: T,
}

fn main() {}
