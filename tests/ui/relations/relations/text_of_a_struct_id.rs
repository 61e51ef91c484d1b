use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize, Clone)]
struct Key {
    country: String,
    number: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "passports")]
struct Passport {
    #[serde(rename = "_id")]
    id: Key,
}

fn show(passport: Ref<Passport>) -> String {
    format!("{passport}")
}

fn main() {}
