use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Kind {
    #[serde(rnme = "l")]
    Long,
    Short,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    kind: Kind,
}

fn main() {}
