use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people", collation(locale = "nb", strength = 2))]
struct Person {
    #[serde(rename = "_id")]
    name: String,
}

fn main() {}
