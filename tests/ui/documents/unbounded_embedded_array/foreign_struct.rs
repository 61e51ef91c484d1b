use schema_runtime::prelude::*;

mod other {
    #[derive(serde::Serialize, serde::Deserialize)]
    pub struct Money {
        pub cents: i64,
    }
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    price: other::Money,
}

fn main() {}
