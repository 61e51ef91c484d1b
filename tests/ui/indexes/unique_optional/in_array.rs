use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Car {
    plate: Option<String>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
#[index(cars.plate, unique)]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed, max = 3)]
    cars: Vec<Car>,
}

fn main() {}
