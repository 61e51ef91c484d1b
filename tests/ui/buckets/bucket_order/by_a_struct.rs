use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = asc(place))]
    post: Ref<Post>,
    place: Place,
}

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    row: i32,
}

fn main() {}
