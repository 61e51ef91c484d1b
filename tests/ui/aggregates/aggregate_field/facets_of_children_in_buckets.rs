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

#[derive(Facets, Deserialize)]
#[facets(of = Comment)]
struct Authors {
    #[count_by(author, limit = 20)]
    authors: Vec<FacetCount<String>>,
}

fn main() {
    let _ = Comment::facets::<Authors>();
}
