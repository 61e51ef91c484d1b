use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts", unknown_fields = refuse)]
#[serde(tag = "kind")]
enum Post {
    Text {
        #[serde(rename = "_id")]
        id: ObjectId,
        text: String,
    },
    Picture {
        #[serde(rename = "_id")]
        id: ObjectId,
        bytes: i64,
    },
}

fn main() {}
