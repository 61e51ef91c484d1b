use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Place {
    city: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(LogMsg::place)]
    place: Place,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "logs")]
struct LogMsg {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    #[denormalize(from = host.place)]
    place: Place,
}

fn main() {
    let _ = LogMsg::find(LogMsg::F.place.city.eq("Oslo"));
    let _ = LogMsg::update_by_id(ObjectId::new()).set(LogMsg::F.place.city, "Bergen");
}
