//! Transactions.

use schema_runtime::{prelude::*, schema, transaction};

use crate::database;

// ANCHOR: transfer
#[derive(Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: i32,
    #[check(min = 0)]
    cents: i64,
}

/// Moves money. If the balance of `from` is too low, the error ends the transaction, and nothing is written.
async fn transfer(db: &Database, from: i32, to: i32, cents: i64) -> Result<()> {
    transaction(db, |tx| async move {
        Account::update_by_id(to).inc(Account::F.cents, cents).execute(&tx).await?;
        Account::update_by_id(from).dec(Account::F.cents, cents).execute(&tx).await?;
        Ok(())
    })
    .await
}
// ANCHOR_END: transfer

#[tokio::test]
async fn money_moves_whole_or_not_at_all() -> Result<()> {
    let db = database(&schema![Account]).await;
    Account::insert_many(&db, &[Account { id: 1, cents: 100 }, Account { id: 2, cents: 0 }]).await?;
    let balances = async || -> Result<[i64; 2]> {
        Ok([Account::get_by_id(&db, 1).await?.cents, Account::get_by_id(&db, 2).await?.cents])
    };
    transfer(&db, 1, 2, 70).await?;
    assert_eq!(balances().await?, [30, 70]);
    assert!(matches!(transfer(&db, 1, 2, 70).await, Err(Error::DocumentInvalid { .. })));
    assert_eq!(balances().await?, [30, 70]);
    assert!(matches!(transfer(&db, 1, 9, 10).await, Err(Error::NotFound { .. })));
    assert_eq!(balances().await?, [30, 70]);
    Ok(())
}
