use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[index(email, name = "_id_")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    email: String,
    age: i32,
}

fn main() {}
