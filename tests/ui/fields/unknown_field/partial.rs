use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(partial(gt(prise, 0)))]
    title: String,
    price: i64,
}

fn main() {}
