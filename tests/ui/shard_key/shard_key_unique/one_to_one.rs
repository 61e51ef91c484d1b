use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "passports")]
#[shard_key(hashed(id))]
struct Passport {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, parent_ref, standalone)]
    owner: Ref<Author>,
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
