use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[index(home.number, partial(gt(age, 17)))]
#[index(home.number, partial(gt(age, 66)))]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    age: i32,
    #[relation(one_to_one, embed)]
    home: Home,
}

#[derive(Embed, Serialize, Deserialize)]
struct Home {
    number: i32,
}

fn main() {}
