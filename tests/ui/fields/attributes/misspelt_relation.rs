use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[computed(count(Note::host))]
    notes_count: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relaton(one_to_many, parent_ref)]
    host: Ref<Host>,
}

fn main() {}
