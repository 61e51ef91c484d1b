//! The commands of histories.

use schema_runtime::{prelude::*, schema};

use super::{Block, database_with_log};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "items")]
struct Item {
    #[serde(rename = "_id")]
    id: i64,
    #[history(keep = 50, order = desc(at))]
    states: Vec<StateChange>,
    #[history(keep = 20, order = desc(date_start), interval(date_start, date_end))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize)]
struct StateChange {
    at: DateTime,
    #[bound(max_len = 20)]
    state: String,
}

#[derive(Embed, Serialize, Deserialize)]
struct Price {
    date_start: DateTime,
    date_end: Option<DateTime>,
    cents: i64,
}

#[tokio::test]
async fn the_page_shows_the_commands() -> Result<()> {
    let (db, log) = database_with_log(&schema![Item]).await;
    Item::insert(&db, &Item { id: 1, states: vec![], prices: vec![] }).await?;
    log.clear();
    let mut block = Block::read("design/histories.md", 0);
    let change = StateChange { at: DateTime::now(), state: "new".to_owned() };
    Item::update_by_id(1).record(Item::F.states, &change).execute(&db).await?;
    block.take_all(&log);
    let price = Price { date_start: DateTime::now(), date_end: None, cents: 99 };
    Item::update_by_id(1).record(Item::F.prices, &price).execute(&db).await?;
    block.take_all(&log);
    Item::find(Item::F.prices.at(DateTime::now())).fetch_all(&db).await?;
    block.take_all(&log);
    block.end();
    Ok(())
}
