use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Short(#[bound(max_len = 5)] String);

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(max(LogMsg::host, text))]
    last: Option<Short>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    text: String,
}

fn main() {}
