use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[shard_key(month, hashed(author), distinct(month = 120))]
#[query(of_month(month), order = asc(author), limit = 100)]
struct Article {
    #[serde(rename = "_id")]
    id: ObjectId,
    month: String,
    #[relation(one_to_squillions, parent_ref)]
    author: Ref<Author>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    name: String,
}

fn main() {}
