use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post<'a> {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: &'a str,
}

fn main() {}
