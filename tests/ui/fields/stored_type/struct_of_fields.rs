use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Address {
    city: String,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
#[stored_as(Address)]
#[serde(from = "Address", into = "Address")]
struct Home(Address);

impl From<Address> for Home {
    fn from(address: Address) -> Self {
        Home(address)
    }
}

impl From<Home> for Address {
    fn from(home: Home) -> Self {
        home.0
    }
}

fn main() {}
