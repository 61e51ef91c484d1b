use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model("posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
