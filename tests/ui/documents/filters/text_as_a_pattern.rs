// 2 messages: a literal and a text from outside.
use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    age: Option<i32>,
    #[bound(max_items = 10)]
    flags: Vec<bool>,
    #[relation(one_to_few, embed, max = 5)]
    addresses: Vec<Address>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
    floor: i32,
}

fn main() {
    let _ = Person::F.name.regex("^a");
    let typed = String::from(".*");
    let _ = Person::F.addresses.elem_match(|address| address.city.regex(typed));
}
