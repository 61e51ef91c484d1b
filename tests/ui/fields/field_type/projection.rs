use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors")]
struct Author {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Projection, Deserialize)]
#[projection(of = Author)]
struct AuthorName {
    name: i64,
}

fn main() {}
