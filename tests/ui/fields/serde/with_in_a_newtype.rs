use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Code(#[serde(with = "as_text")] i64);

mod as_text {
    use schema_runtime::prelude::*;
    pub fn serialize<S: serde::Serializer>(code: &i64, serializer: S) -> Result<S::Ok, S::Error> { code.to_string().serialize(serializer) }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i64, D::Error> { i64::deserialize(from) }
}

fn main() {}
