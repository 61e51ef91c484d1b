use schema_runtime::prelude::*;

type GroupRef = Ref<Group>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[hidden]
    group: Hidden<GroupRef>,
    #[denormalize(from = group.name, snapshot)]
    group_name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "groups")]
struct Group {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

fn main() {}
