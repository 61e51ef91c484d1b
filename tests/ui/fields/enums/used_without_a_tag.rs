use schema_runtime::prelude::*;

#[derive(Embed, Serialize, Deserialize)]
enum Body {
    Text { #[bound(max_len = 80)] text: String },
    Picture { width: i32 },
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: ObjectId,
    body: Body,
    #[relation(one_to_few, embed, max = 5)]
    more: Vec<Body>,
}

async fn read(db: &Database) -> Result<()> {
    Post::find(Post::F.body.is_text()).fetch_all(db).await?;
    Post::find(Post::F.body.picture().width.gt(4)).fetch_all(db).await?;
    Post::find(Post::F.more.any(|body| body.is_picture())).fetch_all(db).await?;
    Ok(())
}

fn main() {}
