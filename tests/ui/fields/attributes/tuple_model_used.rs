use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post(i32, String);

async fn read(db: &Database, post: &Post) -> Result<()> {
    Post::find_by_id(db, 4).await?;
    Post::find(Post::F.title.eq("a")).fetch_all(db).await?;
    Post::insert(db, post).await?;
    Ok(())
}

fn main() {}
