use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "goods")]
struct Good {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[check(min = 200)]
    age: Age,
}

#[derive(Embed, Serialize, Deserialize)]
struct Age(#[check(max = 150)] i32);

fn main() {}
