//! UUIDs as ids.

use schema_runtime::{prelude::*, schema};
use uuid::Uuid;

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, Model, Serialize, Deserialize)]
#[model(collection = "accounts")]
#[inverse(entries = Entry::account)]
struct Account {
    #[serde(rename = "_id")]
    #[auto]
    id: Uuid, // version 7: a later id is greater
    name: String,
}

#[derive(Debug, Model, Serialize, Deserialize)]
#[model(collection = "entries")]
struct Entry {
    #[serde(rename = "_id")]
    #[auto]
    id: Uuid,
    #[relation(one_to_many, parent_ref)]
    account: Ref<Account>,
}
// ANCHOR_END: model

// ANCHOR: use
async fn open(db: &Database, name: &str) -> Result<Account> {
    let account = NewAccount { name: name.to_owned() }.insert(db).await?;
    NewEntry { account: Ref::to(&account) }.insert(db).await?;
    Ok(account)
}

/// Finds the account of an id that came as text.
async fn find(db: &Database, text: &str) -> Result<Option<Account>> {
    let Ok(id) = text.parse::<Uuid>() else { return Ok(None) };
    Account::find_by_id(db, id).await
}

async fn count(db: &Database, account: Uuid) -> Result<u64> {
    Entry::of_account(account).count(db).await
}
// ANCHOR_END: use

#[tokio::test]
async fn ids_in_the_order_of_time() -> Result<()> {
    let db = database(&schema![Account, Entry]).await;
    let (ada, bob) = (open(&db, "Ada").await?, open(&db, "Bob").await?);
    assert_eq!((ada.id.get_version_num(), ada.id < bob.id), (7, true));
    assert_eq!(find(&db, &ada.id.to_string()).await?.map(|account| account.name), Some("Ada".to_owned()));
    assert!(find(&db, "no id").await?.is_none());
    assert_eq!(count(&db, bob.id).await?, 1);

    let id: Uuid = "67e55044-10b1-426f-9247-bb680e5fe0c8".parse().expect("an id");
    assert_shown("guides/uuids.md", &Account::find(Account::F.id.eq(id)).limit(1).to_mongosh()?);
    Ok(())
}
