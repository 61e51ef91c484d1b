use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note::host, racks = Rack::host, on_delete = restrict)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
}

fn main() {}
