use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note::hosts, on_delete = pull)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes", insert_only)]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, child_refs, max = 5, inverse = notes)]
    hosts: Vec<Ref<Host>>,
}

fn main() {}
