use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    password: Hidden<String>,
}

#[derive(Projection, Serialize, Deserialize)]
#[projection(of = User)]
struct Login {
    password: String,
}

fn main() {}
