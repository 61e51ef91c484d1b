use schema_runtime::prelude::*;
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_few, embed, max = 20)]
    comments: Vec<Comment>,
}
#[derive(Embed, Serialize, Deserialize)]
struct Comment {
    likes: i32,
}

async fn run(db: &Database, id: i32) -> schema_runtime::Result<()> {
    Post::COMMENTS.slice(db, id, 0, 10).await?;
    Ok(())
}
fn main() {}
