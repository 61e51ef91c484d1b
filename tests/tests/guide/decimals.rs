//! Decimals, and cents.

use rust_decimal::Decimal;
use schema_runtime::{prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "invoices")]
struct Invoice {
    #[serde(rename = "_id")]
    id: i32,
    #[index(asc)]
    total: Decimal, // `decimal` on the server
    #[check(min = 0)]
    cents: i64, // the same amount as a whole number
}
// ANCHOR_END: model

// ANCHOR: use
fn from(amount: Decimal) -> Filter<Invoice> {
    Invoice::F.total.gte(amount)
}

/// The server adds, without a rounding.
async fn add(db: &Database, id: i32, amount: Decimal) -> Result<Decimal> {
    Ok(Invoice::update_by_id(id).inc(Invoice::F.total, amount).fetch_after(db).await?.total)
}

async fn sums(db: &Database) -> Result<(Decimal, i64)> {
    let all = || Invoice::find(Filter::all());
    Ok((all().sum(db, Invoice::F.total).await?, all().sum(db, Invoice::F.cents).await?))
}
// ANCHOR_END: use

#[tokio::test]
async fn a_tenth_and_two_tenths() -> Result<()> {
    let db = database(&schema![Invoice]).await;
    let invoices = [(1, 10), (2, 1_250)].map(|(id, cents)| Invoice { id, total: Decimal::new(cents, 2), cents });
    Invoice::insert_many(&db, &invoices).await?;
    assert_eq!(add(&db, 1, Decimal::new(20, 2)).await?, Decimal::new(30, 2));
    assert_eq!(
        Invoice::find(from(Decimal::ONE)).fetch_all(&db).await?,
        [Invoice { id: 2, total: Decimal::new(1_250, 2), cents: 1_250 }]
    );
    assert_eq!(sums(&db).await?, (Decimal::new(1_280, 2), 1_260));
    assert_shown("guides/decimals.md", &Invoice::find(from(Decimal::new(1_250, 2))).to_mongosh()?);
    Ok(())
}
