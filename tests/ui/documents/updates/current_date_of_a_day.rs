use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    published: chrono::NaiveDate,
}

fn publish(id: ObjectId) -> impl Sized {
    Post::update_by_id(id).current_date(Post::F.published)
}

fn main() {}
