use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Body {
    Media(Media),
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "media")]
enum Media {
    Film { minutes: i32 },
}

fn main() {}
