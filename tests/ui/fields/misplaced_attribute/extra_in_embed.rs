use schema_runtime::bson::Document;
use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Home {
    city: String,
    #[extra]
    #[serde(skip)]
    rest: Document,
}

fn main() {}
