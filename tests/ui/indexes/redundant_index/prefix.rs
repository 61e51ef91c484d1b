use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(title)]
#[index(title, desc(time))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    time: DateTime,
}

fn main() {}
