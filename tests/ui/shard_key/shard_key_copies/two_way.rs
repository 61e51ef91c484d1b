use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_many, two_way, inverse = tasks)]
    owner: Option<Ref<Person>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[shard_key(email)]
struct Person {
    #[serde(rename = "_id")]
    id: i64,
    #[index(unique)]
    #[bound(max_len = 100)]
    email: String,
    #[relation(one_to_many, two_way, of = Task::owner, max = 100)]
    tasks: Vec<Ref<Task>>,
}

fn main() {}
