// 2 messages: rustc reports the bound of the call, and of the awaited future.
use schema_runtime::{prelude::*, transaction};

#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i64,
    cents: i64,
}

#[derive(Debug)]
enum Shop {
    NotEnough,
}

async fn withdraw(db: &Database, id: i64) -> Result<(), Shop> {
    transaction(db, |tx| async move {
        match Account::update_by_id(id).inc(Account::F.cents, -1).execute(&tx).await {
            Ok(_) => Ok(()),
            Err(_) => Err(Shop::NotEnough),
        }
    })
    .await
}

fn main() {}
