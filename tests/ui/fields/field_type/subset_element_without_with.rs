use schema_runtime::prelude::*;

mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.to_string())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(parts = Part::host)]
struct Host {
    #[serde(rename = "_id")]
    id: i32,
    #[subset(of = Part::host, keep = 5, order = desc(id))]
    last: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: i32,
    #[opaque(max_bytes = 16)]
    code: u32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: i32,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    #[serde(with = "as_text")]
    #[opaque(max_bytes = 16)]
    code: u32,
}

fn main() {}
