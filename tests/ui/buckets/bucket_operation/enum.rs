use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
#[serde(tag = "kind")]
enum Comment {
    Text {
        #[serde(rename = "_id")]
        id: ObjectId,
        post: Ref<Post>,
        text: String,
    },
    Picture {
        #[serde(rename = "_id")]
        id: ObjectId,
        post: Ref<Post>,
        width: i32,
    },
}

fn main() {}
