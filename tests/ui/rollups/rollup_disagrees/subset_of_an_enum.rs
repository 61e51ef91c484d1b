use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
#[inverse(notes = Note::host)]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[subset(of = Note::host, keep = 3)]
    latest: Vec<Line>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref, inverse = notes)]
    host: Ref<Host>,
    kind: String,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Line {
    Text { #[serde(rename = "_id")] id: ObjectId },
}

fn main() {}
