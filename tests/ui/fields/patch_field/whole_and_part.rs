use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
    #[relation(one_to_one, embed)]
    place: Place,
    #[relation(one_to_few, embed, max = 5)]
    places: Vec<Place>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    city: String,
}

#[derive(Patch)]
#[patch(Post)]
struct EditPost {
    place: Option<Place>,
    #[patch(field = place.city)]
    city: Option<String>,
}

fn main() {}
