use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
    #[bound(max_items = 5)]
    tags: Vec<String>,
}

fn main() {
    let _ = Person::F.tags.gt("x");
}
