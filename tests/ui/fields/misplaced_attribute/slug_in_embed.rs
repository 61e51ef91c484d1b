use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Offer {
    name: String,
    #[slug(from = name, max_len = 80)]
    slug: String,
}

fn main() {}
