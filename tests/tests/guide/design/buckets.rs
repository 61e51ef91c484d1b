//! The commands of children in buckets.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "articles")]
#[inverse(comments = Comment::article)]
struct Article {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "comments", bucket(size = 50))]
struct Comment {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(created_on))]
    article: Ref<Article>,
    created_on: DateTime,
    #[bound(max_len = 1_000)]
    text: String,
}

fn comment(id: i64, text: &str) -> Comment {
    Comment { id, article: Ref::new(1), created_on: DateTime::from_millis(id * 1_000), text: text.to_owned() }
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Article, Comment]).await;
    let article = Article { id: 1, title: "one".to_owned() };
    Article::insert(&db, &article).await?;
    log.clear();
    let mut block = Block::read("design/buckets.md", 0);
    Comment::insert(&db, &comment(1, "hi")).await?;
    block.take_all(&log);
    let second = comment(2, "ho");
    Comment::insert(&db, &second).await?;
    block.take_all(&log);
    Comment::update_by_id(&second).set(Comment::F.text, "hu").execute(&db).await?;
    block.take_all(&log);
    article.comments().bucket(1).fetch_all(&db).await?;
    block.take_all(&log);
    article.comments().latest(10).fetch_all(&db).await?;
    block.take_all(&log);
    article.comments().count(&db).await?;
    block.take_all(&log);
    Comment::delete(&db, &second).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
