use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(max(LogMsg::host, weight))]
    heaviest: Option<i32>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "users")]
struct User {
    #[serde(rename = "_id")]
    id: ObjectId,
    weight: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    user: Ref<User>,
    #[denormalize(from = user.weight, external)]
    weight: i32,
}

fn main() {}
