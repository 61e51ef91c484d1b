use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[relation(one_to_squillions, parent_ref)]
    post: Ref<Post>,
    #[bound(max_len = 100)]
    author: String,
}

#[derive(Aggregate, Deserialize)]
#[aggregate(of = Comment, by(author))]
struct OfAuthor {
    author: String,
    #[count]
    comments: i64,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "authors", view(of = Comment, aggregate = OfAuthor))]
struct Author {
    #[serde(rename = "_id")]
    id: String,
    comments: i64,
}

fn main() {}
