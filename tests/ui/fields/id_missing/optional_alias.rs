use schema_runtime::prelude::*;

type Id = Option<ObjectId>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tags")]
struct Tag {
    #[serde(rename = "_id")]
    id: Id,
}

fn main() {}
