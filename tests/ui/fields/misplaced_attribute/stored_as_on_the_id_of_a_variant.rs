use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[serde(tag = "kind")]
enum Post {
    Text {
        #[stored_as(String)]
        #[serde(rename = "_id")]
        id: String,
    },
}

fn main() {}
