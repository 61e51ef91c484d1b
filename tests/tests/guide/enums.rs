//! Enums in fields.

use schema_runtime::{bson::Document, prelude::*, schema};

use crate::{assert_shown, database};

// ANCHOR: model
#[derive(Debug, PartialEq, Model, Serialize, Deserialize)]
#[model(collection = "orders")]
#[index(state, desc(id))]
struct Order {
    #[serde(rename = "_id")]
    id: i32,
    state: State,
    payment: Payment,
}

#[derive(Debug, Clone, Copy, PartialEq, Embed, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum State {
    New,
    Paid,
    Sent,
}

#[derive(Debug, PartialEq, Embed, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Payment {
    Card { last_digits: i32 },
    Invoice { days: i32 },
    Cash,
}
// ANCHOR_END: model

// ANCHOR: use
async fn pay(db: &Database, id: i32) -> Result<Order> {
    let is_new = Order::F.state.eq(State::New);
    Order::update_by_id(id).only_if(is_new).set(Order::F.state, State::Paid).fetch_after(db).await
}

fn open() -> Filter<Order> {
    Order::F.state.is_in([State::New, State::Paid])
}

fn slow_invoices() -> Filter<Order> {
    Order::F.payment.invoice().days.gt(30)
}
// ANCHOR_END: use

#[tokio::test]
async fn a_state_is_a_text() -> Result<()> {
    let db = database(&schema![Order]).await;
    let payments = [Payment::Card { last_digits: 1234 }, Payment::Invoice { days: 60 }, Payment::Cash];
    let orders = (1..).zip(payments).map(|(id, payment)| Order { id, state: State::New, payment }).collect::<Vec<_>>();
    Order::insert_many(&db, &orders).await?;

    assert_eq!(pay(&db, 1).await?.state, State::Paid);
    assert!(matches!(pay(&db, 1).await, Err(Error::ConditionFailed { .. })));
    Order::update_by_id(3).set(Order::F.state, State::Sent).execute(&db).await?;
    assert_eq!(Order::find(open()).count(&db).await?, 2);
    let slow = Order::find(slow_invoices()).fetch_all(&db).await?;
    assert_eq!(slow, [Order { id: 2, state: State::New, payment: Payment::Invoice { days: 60 } }]);

    let unknown = doc! { "_id": 9, "state": "lost", "payment": { "kind": "cash" } };
    assert!(db.collection::<Document>("orders").insert_one(unknown).await.is_err(), "the validator knows the states");
    assert_shown("guides/enum_fields.md", &Order::find(open()).to_mongosh()?);
    assert_shown("guides/enum_fields.md", &Order::find(slow_invoices()).to_mongosh()?);
    Ok(())
}
