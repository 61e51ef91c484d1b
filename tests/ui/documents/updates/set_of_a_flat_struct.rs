// 3 messages: an update, a filter and a sort
use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Address {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    home: Address,
}

fn main() {
    let home = Address { city: "Oslo".to_owned() };
    let _ = Person::update_one(Filter::all()).set(Person::F.home, &home);
    let _ = Person::find(Person::F.home.eq(&home));
    let _ = Person::find(Filter::all()).sort(Person::F.home.asc());
}
