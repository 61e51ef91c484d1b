use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[immutable]
    #[relation(one_to_many, two_way, inverse = tasks)]
    owner: Option<Ref<Person>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, two_way, of = Task::owner, max = 20)]
    tasks: Vec<Ref<Task>>,
}

fn main() {}
