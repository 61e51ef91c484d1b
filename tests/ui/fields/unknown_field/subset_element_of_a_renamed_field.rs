use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[subset(of = Note::host, keep = 5)]
    latest: Vec<Line>,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
#[serde(rename_all = "camelCase")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref, order = desc(created_on))]
    host: Ref<Host>,
    created_on: DateTime,
}

#[derive(Embed, Serialize, Deserialize)]
struct Line {
    #[serde(rename = "_id")]
    id: ObjectId,
    created_on: DateTime,
}

fn main() {}
