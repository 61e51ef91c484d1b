use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "writers")]
struct Writer {
    #[serde(rename = "_id")]
    id: i64,
    #[bound(max_len = 60)]
    #[copied_to(Post::name, fan_out = 500)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[shard_key(name, id, distinct(name = 50_000))]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, parent_ref)]
    writer: Ref<Writer>,
    #[bound(max_len = 60)]
    #[denormalize(from = writer.name)]
    name: String,
}

fn main() {}
