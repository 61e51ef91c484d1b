use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(times))]
    author: Ref<Author>,
    #[bound(max_items = 3)]
    times: Vec<DateTime>,
}

fn main() {}
