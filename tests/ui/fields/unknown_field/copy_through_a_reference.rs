use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[copied_to(Line::name)]
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    text: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "lines")]
struct Line {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    note: Ref<Note>,
    #[denormalize(from = note.host.name)]
    name: String,
}

fn main() {}
