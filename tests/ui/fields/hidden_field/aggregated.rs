use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    password: Hidden<String>,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = User)]
struct Row {
    #[max(password)]
    last: Option<String>,
}

fn main() {}
