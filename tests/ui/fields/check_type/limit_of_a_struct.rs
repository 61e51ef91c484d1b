use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    #[check(max = 5)]
    part: Part,
}

#[derive(Embed, Serialize, Deserialize)]
struct Part {
    count: i32,
}

fn main() {}
