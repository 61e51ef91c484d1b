use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "players")]
#[shard_key(hashed(score), distinct(score = 1_000_000))]
#[query(scored(score), limit = 10)]
#[query(best, order = desc(score), limit = 10)]
struct Player {
    #[serde(rename = "_id")]
    id: i64,
    score: i64,
}

fn main() {}
