use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
#[index(number, name = "host_1__id_-1")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    number: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

fn main() {}
