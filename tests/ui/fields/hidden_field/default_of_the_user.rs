use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    #[serde(default = "nothing")]
    password: Hidden<String>,
}

fn nothing() -> Hidden<String> {
    String::new().into()
}

fn main() {}
