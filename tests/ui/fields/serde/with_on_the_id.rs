use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id", with = "as_text")]
    #[opaque(max_bytes = 40)]
    id: i64,
}

mod as_text {
    use schema_runtime::prelude::*;
    pub fn serialize<S: serde::Serializer>(id: &i64, serializer: S) -> Result<S::Ok, S::Error> { id.to_string().serialize(serializer) }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i64, D::Error> { i64::deserialize(from) }
}

fn main() {}
