use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: ObjectId,
    post: Ref<Post>,
    likes: i32,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[inverse(comments = Comment::post)]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
}

async fn write(db: &Database, post: &Post, comment: &Comment) -> Result<()> {
    Comment::insert(db, comment).await?;
    Comment::compact(db, post).await?;
    post.comments().bucket(2).fetch_all(db).await?;
    Ok(())
}

fn main() {}
