use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    #[inverse(hosts = Host::address)]
    city: String,
}

fn main() {}
