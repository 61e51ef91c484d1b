use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[index(text(title), collation(locale = "nb"))]
struct Article {
    #[serde(rename = "_id")]
    id: ObjectId,
    title: String,
}

fn main() {}
