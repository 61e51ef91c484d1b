//! Copies, rollups, buckets, histories, shard keys, sets and enums of fields with `#[stored_as(..)]`.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document, doc};
use schema_runtime::{prelude::*, schema};
use schema_tests::database;

use super::{Email, Seconds, as_date, as_optional_date, date, email};
use crate::positions::raw;

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "owners")]
#[inverse(visits = Visit::owner)]
struct Owner {
    #[serde(rename = "_id")]
    id: i64,
    #[changes(seldom)]
    #[copied_to(Visit::email)]
    email: Email,
    #[changes(seldom)]
    #[copied_to(Visit::since)]
    #[copied_to(Visit::since_date)]
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    since: Seconds,
    #[computed(max(Visit::owner, contact))]
    greatest: Option<Email>,
    #[computed(max(Visit::owner, at))]
    last: Option<DateTime>,
    #[subset(of = Visit::owner, keep = 2, order = desc(at))]
    latest: Vec<Line>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Line {
    #[serde(rename = "_id")]
    id: i64,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    at: Seconds,
    contact: Email,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = desc(at))]
    owner: Ref<Owner>,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    at: Seconds,
    contact: Email,
    #[denormalize(from = owner.email)]
    email: Email,
    #[denormalize(from = owner.since)]
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    since: Seconds,
    #[denormalize(from = owner.since)]
    since_date: DateTime,
}

fn owner() -> Owner {
    let (email, since) = (email("a@example.org"), Seconds(1));
    Owner { id: 1, email, since, greatest: None, last: None, latest: vec![] }
}

fn visit(id: i64) -> Visit {
    // The copies are filled by the insert.
    Visit {
        id,
        owner: Ref::new(1),
        at: Seconds(id),
        contact: email(&format!("{id}@example.org")),
        email: email("@"),
        since: Seconds(0),
        since_date: DateTime::from_millis(0),
    }
}

#[tokio::test]
async fn copies_follow_and_rollups_are_exact() {
    let db = database().await;
    schema![Owner, Visit].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    Owner::insert(&db, &owner()).await.unwrap();
    Visit::insert_many(&db, [visit(3), visit(4), visit(5)]).await.unwrap();
    let stored = raw(&db, "visits", 3_i64).await;
    let copies = ["email", "since", "since_date"].map(|name| stored.get(name).cloned().unwrap());
    assert_eq!(copies, [Bson::from("a@example.org"), date(1_000), date(1_000)]);

    let update = Owner::update_by_id(1).set(Owner::F.email, email("b@example.org")).set(Owner::F.since, Seconds(2));
    update.execute(&db).await.unwrap();
    for id in [3, 4, 5] {
        let found = Visit::get_by_id(&db, id).await.unwrap();
        assert_eq!((found.email, found.since), (email("b@example.org"), Seconds(2)));
        assert_eq!(found.since_date, DateTime::from_millis(2_000));
    }
    Visit::update_by_id(3).set(Visit::F.at, Seconds(9)).set(Visit::F.contact, email("z@z")).execute(&db).await.unwrap();
    schema_runtime::finish_writes(&db).await;
    let stored = raw(&db, "owners", 1_i64).await;
    assert_eq!((stored.get_str("greatest").unwrap(), stored.get("last")), ("z@z", Some(&date(9_000))));
    let line = |id: i64, at, contact: &str| doc! { "_id": id, "at": date(at), "contact": contact };
    let lines = vec![line(3, 9_000, "z@z"), line(5, 5_000, "5@example.org")];
    assert_eq!(stored.get("latest"), Some(&Bson::from(lines)));
    let read = Owner::get_by_id(&db, 1).await.unwrap();
    assert_eq!((read.greatest, read.latest[0].at), (Some(email("z@z")), Seconds(9)));
    let children = owner().visits().fetch_all(&db).await.unwrap().complete().unwrap().into_vec();
    assert_eq!(children.iter().map(|visit| visit.id).collect::<Vec<_>>(), [3, 5, 4]);
    assert!(schema![Owner, Visit].verify(&db).await.unwrap().is_clean());
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "panels")]
#[inverse(readings = Reading::panel)]
struct Panel {
    #[serde(rename = "_id")]
    id: Email,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "readings", bucket(by = day(time), size = 3))]
struct Reading {
    #[serde(rename = "_id")]
    id: i64,
    #[relation(one_to_squillions, parent_ref, order = asc(time))]
    panel: Ref<Panel>,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    time: Seconds,
    #[stored_as(Option<DateTime>)]
    #[serde(default, with = "as_optional_date")]
    seen: Option<Seconds>,
}

#[tokio::test]
async fn buckets_by_the_day_of_a_declared_date() {
    let db = database().await;
    schema![Panel, Reading].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let panel = Panel { id: email("p@example.org") };
    Panel::insert(&db, &panel).await.unwrap();
    let reading = |id: i64| Reading {
        id,
        panel: Ref::to(&panel),
        time: Seconds(id * 43_200),
        seen: (id % 2 == 0).then_some(Seconds(id)),
    };
    Reading::insert_many(&db, (0..6).map(reading)).await.unwrap();
    let buckets = db.collection::<Document>("readings");
    let one = buckets.find_one(doc! { "day": date(86_400_000) }).await.unwrap().unwrap();
    assert_eq!((one.get_str("panel").unwrap(), one.get("first")), ("p@example.org", Some(&date(86_400_000))));
    let item = one.get_array("items").unwrap()[0].as_document().unwrap();
    assert_eq!((item.get("time"), item.get("seen")), (Some(&date(86_400_000)), Some(&date(2_000))));
    let all = panel.readings().fetch_all(&db).await.unwrap().complete().unwrap().into_vec();
    assert_eq!(all, (0..6).map(reading).collect::<Vec<_>>());
    let found = Reading::find(Reading::F.time.gt(reading(4).time)).fetch_all(&db).await.unwrap();
    assert_eq!(found, [reading(5)]);
    Reading::update_by_id(4).set(Reading::F.seen, None).execute(&db).await.unwrap();
    assert_eq!(Reading::get_by_id(&db, 4).await.unwrap().seen, None);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "products")]
struct Product {
    #[serde(rename = "_id")]
    id: i64,
    #[history(keep = 4, order = desc(from), interval(from, until))]
    prices: Vec<Price>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Price {
    buyer: Email,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    from: Seconds,
    #[stored_as(Option<DateTime>)]
    #[serde(default, with = "as_optional_date")]
    until: Option<Seconds>,
}

#[tokio::test]
async fn histories_of_declared_dates() {
    let db = database().await;
    Product::insert(&db, &Product { id: 1, prices: vec![] }).await.unwrap();
    let price = |text, from: i64| Price { buyer: email(text), from: Seconds(from), until: None };
    for (text, from) in [("a@b", 1), ("c@d", 5)] {
        Product::update_by_id(1).record(Product::F.prices, &price(text, from)).execute(&db).await.unwrap();
    }
    let stored = raw(&db, "products", 1_i64).await;
    let prices = [
        doc! { "buyer": "c@d", "from": date(5_000), "until": Bson::Null },
        doc! { "buyer": "a@b", "from": date(1_000), "until": date(5_000) },
    ];
    assert_eq!(stored.get("prices"), Some(&Bson::from(prices.to_vec())));
    let product = Product::get_by_id(&db, 1).await.unwrap();
    let first = Price { until: Some(Seconds(5)), ..price("a@b", 1) };
    assert_eq!(product.prices_at(DateTime::from_millis(4_999)), Some(&first));
    let at = |time| Product::find(Product::F.prices.at(DateTime::from_millis(time))).count(&db);
    assert_eq!((at(999).await.unwrap(), at(1_000).await.unwrap()), (0, 1));
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "events")]
#[shard_key(user, at, distinct(user = 50_000))]
struct Event {
    #[serde(rename = "_id")]
    id: i64,
    user: String,
    #[stored_as(DateTime)]
    #[serde(with = "as_date")]
    at: Seconds,
}

#[tokio::test]
async fn a_shard_key_of_declared_types() {
    let db = database().await;
    let event = |id: i64| Event { id, user: "u".to_owned(), at: Seconds(id) };
    Event::insert_many(&db, (1..4).map(event)).await.unwrap();
    let key = Event::by_shard_key("u", Seconds(2));
    assert_eq!(Event::find(key).fetch_all(&db).await.unwrap(), [event(2)]);
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "messages")]
#[serde(tag = "kind")]
#[query(sent_after(gt(sent)), order = asc(sent), limit = 5)]
enum Message {
    Text {
        #[serde(rename = "_id")]
        id: i64,
        #[stored_as(DateTime)]
        #[serde(with = "as_date")]
        sent: Seconds,
        to: Email,
    },
    Call {
        #[serde(rename = "_id")]
        id: i64,
        #[stored_as(DateTime)]
        #[serde(with = "as_date")]
        sent: Seconds,
        #[stored_as(Option<DateTime>)]
        #[serde(default, with = "as_optional_date")]
        ended: Option<Seconds>,
    },
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "holders")]
struct Holder {
    #[serde(rename = "_id")]
    id: i64,
    state: State,
    #[bound(max_items = 3)]
    seen: BTreeMap<String, Email>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum State {
    Open {
        #[stored_as(DateTime)]
        #[serde(with = "as_date")]
        since: Seconds,
    },
    Closed {
        by: Email,
    },
}

#[tokio::test]
async fn enums_with_declared_types() {
    let db = database().await;
    schema![Message, Holder].plan(&db).await.unwrap().apply(&db).await.unwrap().complete().unwrap();
    let text = Message::Text { id: 1, sent: Seconds(1), to: email("t@example.org") };
    let call = Message::Call { id: 2, sent: Seconds(2), ended: None };
    Message::insert_many(&db, [text.clone(), call.clone()]).await.unwrap();
    assert_eq!(raw(&db, "messages", 2_i64).await.get("sent"), Some(&date(2_000)));
    assert_eq!(Message::sent_after(Seconds(1)).fetch_all(&db).await.unwrap(), std::slice::from_ref(&call));
    assert_eq!(Message::find(Message::F.sent.lt(Seconds(2))).fetch_all(&db).await.unwrap(), [text]);
    let call_token = Message::F.call();
    Message::update_one(call_token.id.eq(2)).set(call_token.ended, Seconds(7)).execute(&db).await.unwrap();
    assert_eq!(raw(&db, "messages", 2_i64).await.get("ended"), Some(&date(7_000)));

    let holder = Holder {
        id: 1,
        state: State::Open { since: Seconds(3) },
        seen: [("a".to_owned(), email("m@example.org"))].into(),
    };
    Holder::insert(&db, &holder).await.unwrap();
    let open = Holder::F.state.open();
    assert_eq!(Holder::find(open.since.eq(Seconds(3))).fetch_all(&db).await.unwrap(), [holder]);
    let closed = State::Closed { by: email("c@example.org") };
    Holder::update_by_id(1).set(Holder::F.state, &closed).execute(&db).await.unwrap();
    assert_eq!(Holder::find(Holder::F.state.eq(&closed)).count(&db).await.unwrap(), 1);
}
