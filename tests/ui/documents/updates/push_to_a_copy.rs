use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::tags)]
    #[bound(max_items = 20)]
    tags: Vec<String>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: Ref<Host>,
    #[denormalize(from = host.tags)]
    #[bound(max_items = 20)]
    tags: Vec<String>,
}

fn main() {
    let _ = LogMsg::update_by_id(ObjectId::new()).push(LogMsg::F.tags, "web".to_owned());
}
