use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    #[bound(max_len = 80)]
    title: String,
    #[slug(from = title)]
    slug: String,
}

async fn read(db: &Database) -> Result<()> {
    let found = Post::by_slug("a").first(db).await?;
    Post::find(Post::F.slug.eq("a")).fetch_all(db).await?;
    println!("{}", found.unwrap().title);
    Ok(())
}

fn main() {}
