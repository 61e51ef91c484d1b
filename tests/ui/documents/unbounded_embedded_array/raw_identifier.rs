use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    r#type: Vec<C>,
}

#[derive(Embed, Serialize, Deserialize)]
struct C {
    n: i32,
}

fn main() {}
