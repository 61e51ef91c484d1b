//! Dates of chrono and jiff.

use jiff::ToSpan;
use schema_runtime::{prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: chrono
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "invoices")]
struct Invoice {
    #[serde(rename = "_id")]
    id: i32,
    #[index(asc)]
    due: chrono::NaiveDate,
    sent: Option<chrono::DateTime<chrono::Utc>>,
}

fn overdue(today: chrono::NaiveDate) -> Filter<Invoice> {
    Invoice::F.due.lt(today) & Invoice::F.sent.is_not_null()
}
// ANCHOR_END: chrono

// ANCHOR: jiff
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "sessions", new)]
struct Session {
    #[serde(rename = "_id")]
    id: i32,
    #[created_at]
    begun: jiff::Timestamp,
    #[index(ttl = "0s")]
    ends: jiff::Timestamp,
}

async fn begin(db: &Database, id: i32) -> Result<Session> {
    NewSession { id, ends: jiff::Timestamp::now() + 8.hours() }.insert(db).await
}
// ANCHOR_END: jiff

#[tokio::test]
async fn days_and_times() -> Result<()> {
    let db = database(&schema![Invoice, Session]).await;
    let day = |text: &str| text.parse::<chrono::NaiveDate>().expect("a day");
    let sent = "2024-02-29T12:30:00.123456Z".parse::<chrono::DateTime<chrono::Utc>>().expect("a time");
    let invoices = [(1, "2024-03-01"), (2, "2024-03-31")];
    let invoices = invoices.map(|(id, due)| Invoice { id, due: day(due), sent: Some(sent) });
    Invoice::insert_many(&db, &invoices).await?;

    let found = Invoice::find(overdue(day("2024-03-15"))).fetch_all(&db).await?;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].due, day("2024-03-01"));
    // A BSON date has milliseconds.
    assert_eq!(found[0].sent.map(|sent| sent.timestamp_subsec_micros()), Some(123_000));
    assert_eq!(Invoice::find(Invoice::F.sent.eq(Some(sent))).count(&db).await?, 2, "an operand is cut, too");

    let session = begin(&db, 1).await?;
    assert!(session.begun < session.ends);
    assert_eq!(Session::find(Session::F.ends.gt(session.begun)).count(&db).await?, 1);
    assert_shown("guides/dates.md", &Invoice::find(overdue(day("2024-03-15"))).to_mongosh()?);
    Ok(())
}
