use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Nick(Option<String>);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    nick: Nick,
}

fn main() {}
