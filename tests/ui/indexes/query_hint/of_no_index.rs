use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(of_author(author), hint = "by_author")]
#[query(newest(), order = desc(time), hint = "by_time")]
#[query(by_id(id), hint = "_id_")]
#[index(author, time)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    author: String,
    #[index(name = "by_time")]
    time: DateTime,
}

fn main() {}
