use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "folders")]
struct Folder {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_many, parent_ref)]
    parent: Option<Ref<Folder>>,
    #[computed(count(Folder::parent))]
    folders: i64,
    #[computed(sum(Folder::parent, folders))]
    grandchildren: i64,
}

fn main() {}
