use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
#[stored_as(String)]
struct Email(String);

#[derive(Embed, Serialize, Deserialize)]
struct Profile {
    email: Option<Email>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[embed(flat)]
    #[serde(flatten)]
    profile: Profile,
}

fn main() {}
