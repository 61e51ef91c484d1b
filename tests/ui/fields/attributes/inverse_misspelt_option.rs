use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(notes = Note::post, ondelete = cascade)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    post: Ref<Post>,
}

fn main() {}
