use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    #[serde(with = "as_text")]
    Text { caption: String },
}

mod as_text {
    use schema_runtime::prelude::*;
    pub fn serialize<S: serde::Serializer>(caption: &str, serializer: S) -> Result<S::Ok, S::Error> { caption.serialize(serializer) }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> { String::deserialize(from) }
}

fn main() {}
