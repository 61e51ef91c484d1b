use schema_runtime::{Point, prelude::*};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[index(geo(place), hashed(user))]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    user: i64,
    place: Point,
}

fn main() {}
