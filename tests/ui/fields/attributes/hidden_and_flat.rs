use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    #[embed(flat)]
    #[serde(flatten)]
    login: Hidden<Login>,
}

#[derive(Embed, Serialize, Deserialize)]
struct Login {
    password: String,
}

fn main() {}
