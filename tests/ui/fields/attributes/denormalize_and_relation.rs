use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::place)]
    place: Place,
}

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logmsg")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    host: Ref<Host>,
    #[denormalize(from = host.place)]
    #[relation(one_to_one, embed)]
    place: Place,
}

fn main() {}
