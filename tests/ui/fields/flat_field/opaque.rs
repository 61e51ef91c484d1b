use schema_runtime::prelude::*;

#[derive(Serialize, Deserialize)]
struct Settings {
    dark: bool,
}

#[derive(Embed, Serialize, Deserialize)]
struct Profile {
    #[opaque(max_bytes = 100)]
    settings: Settings,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    profile: Profile,
}

fn main() {}
