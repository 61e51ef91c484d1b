use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(String)]
struct Email(String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: i32,
    email: Email,
}

fn main() {
    let _ = Person::F.email.eq("text");
}
