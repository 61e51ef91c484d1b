use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[index(unique)]
    #[bound(max_items = 3)]
    emails: Vec<Option<String>>,
}

fn main() {}
