use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    group: Hidden<Ref<Group>>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "groups")]
struct Group {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
