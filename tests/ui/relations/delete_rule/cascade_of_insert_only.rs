use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note::host, on_delete = cascade)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes", insert_only)]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    host: Option<Ref<Host>>,
}

fn main() {}
