use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
#[serde(tag = "kind")]
enum User {
    Person {
        #[serde(rename = "_id")]
        id: ObjectId,
        #[hidden]
        password: Hidden<String>,
    },
    Robot {
        #[serde(rename = "_id")]
        id: ObjectId,
    },
}

fn main() {}
