use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(many_to_many, two_way, inverse = friends, max = 10)]
    friends: Vec<Ref<Person>>,
}

fn main() {}
