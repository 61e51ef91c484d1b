use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    text: String,
}

type Comments = Vec<Comment>;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_few, embed)]
    comments: Comments,
}

fn main() {}
