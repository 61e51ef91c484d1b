use schema_runtime::prelude::*;

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: ObjectId,
    name: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
#[query(titled(title))]
struct Post<T> {
    #[serde(rename = "_id")]
    id: i32,
    title: String,
    #[relation(one_to_many, parent_ref)]
    host: Ref<Host>,
    value: T,
}

async fn read(db: &Database, post: &Post<i32>) -> Result<()> {
    Post::<i32>::find(Post::<i32>::F.title.eq("a")).fetch_all(db).await?;
    Post::<i32>::find_by_id(db, 4).await?;
    Post::<i32>::titled("a").fetch_all(db).await?;
    Post::insert(db, post).await?;
    post.host().fetch_one(db).await?;
    Ok(())
}

fn main() {}
