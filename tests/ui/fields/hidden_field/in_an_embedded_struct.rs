use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_one, embed)]
    login: Login,
}

#[derive(Embed, Serialize, Deserialize)]
struct Login {
    password: Hidden<String>,
}

fn main() {}
