use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 100)]
    tasks: Vec<Ref<Task>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    owner: Ref<Person>,
}

fn main() {}
