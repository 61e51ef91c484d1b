//! The commands of conditions on fields of variants.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[index(state)]
struct Order {
    #[serde(rename = "_id")]
    id: i64,
    state: State,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Open,
    Paid,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "posts")]
struct Post {
    #[serde(rename = "_id")]
    id: i64,
    body: Body,
}

#[derive(Embed, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Body {
    Text { caption: String },
    Nothing,
}

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "shapes")]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle {
        #[serde(rename = "_id")]
        id: i64,
        radius: f64,
    },
    Square {
        #[serde(rename = "_id")]
        id: i64,
        side: f64,
    },
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Order, Post, Shape]).await;
    Order::insert_many(&db, [Order { id: 1, state: State::Open }, Order { id: 2, state: State::Paid }]).await?;
    let text = Body::Text { caption: "a cat".to_owned() };
    Post::insert_many(&db, [Post { id: 1, body: text }, Post { id: 2, body: Body::Nothing }]).await?;
    let (circle, square) = (Shape::Circle { id: 1, radius: 2.0 }, Shape::Square { id: 2, side: 2.0 });
    Shape::insert_many(&db, [circle, square]).await?;
    log.clear();
    let mut block = Block::read("design/enums.md", 0);
    assert_eq!(Order::find(Order::F.state.eq(State::Open)).fetch_all(&db).await?.len(), 1);
    block.take_all(&log);
    assert_eq!(Post::find(Post::F.body.text().caption.eq("a cat")).fetch_all(&db).await?.len(), 1);
    block.take_all(&log);
    assert_eq!(Shape::circles().filter(Shape::F.circle().radius.gt(1.0)).fetch_all(&db).await?.len(), 1);
    block.take_all(&log);
    block.end();
    Ok(())
}
