use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[bound(max_items = 10)]
    tags: Vec<String>,
    #[relation(one_to_few, embed, max = 5)]
    addresses: Vec<Address>,
    #[relation(one_to_one, embed)]
    home: Address,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {
    let _ = Person::find(Filter::all()).sort([Person::F.addresses.city.asc()]);
}
