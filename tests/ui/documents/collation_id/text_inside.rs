// 3 messages: a text in a struct, a newtype of a text, and a type that serde writes as a text.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people", collation(locale = "nb", strength = 2))]
struct Person {
    #[serde(rename = "_id")]
    id: Key,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Key {
    number: i32,
    town: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "codes", clustered, collation(locale = "en"))]
struct Code {
    #[serde(rename = "_id")]
    id: Newtype,
}

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Newtype(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts", collation(locale = "en"))]
struct Host {
    #[serde(rename = "_id")]
    address: std::net::IpAddr,
}

fn main() {}
