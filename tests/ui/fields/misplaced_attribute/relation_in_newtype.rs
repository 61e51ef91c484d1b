use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Addresses(#[relation(one_to_few, embed, max = 20)] Vec<Address>);

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

fn main() {}
