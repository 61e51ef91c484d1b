use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[inverse(hosts = Host::address)]
struct Address {
    city: String,
}

fn main() {}
