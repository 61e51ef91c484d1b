use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[index(number, partial(gt(age, 17)))]
#[index(number, partial(gt(age, 17)), hidden, name = "tried")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    age: i32,
    number: i32,
}

fn main() {}
