//! References, trees, tagged enums and sets with types of other crates.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
};

use chrono::{DateTime as Time, Utc};
use mongodb::bson::{Binary, Bson, doc, spec::BinarySubtype};
use schema_runtime::prelude::*;
use schema_tests::database;
use uuid::Uuid;

use super::{date, raw};

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "groups")]
struct Group {
    #[serde(rename = "_id")]
    id: Uuid,
    #[tree(parent, max_depth = 5)]
    parent: Option<Ref<Group>>,
    #[tree(path)]
    path: TreePath<Group>,
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "servers")]
struct Server {
    #[serde(rename = "_id")]
    id: IpAddr,
    #[relation(one_to_many, child_refs, max = 10)]
    groups: Vec<Ref<Group>>,
    #[bound(max_items = 5)]
    names: HashSet<IpAddr>,
    #[bound(max_items = 5)]
    seen: HashMap<String, Time<Utc>>,
    event: Event,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
enum Event {
    Started { at: Time<Utc>, by: Uuid },
    Stopped { at: Time<Utc> },
    Asked(Request),
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Request {
    from: IpAddr,
    #[bound(max_items = 5)]
    over: Vec<IpAddr>,
    answer: Answer,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", content = "data")]
enum Answer {
    Redirect(Target),
    Nothing,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Target {
    to: IpAddr,
}

/// A model of several shapes, and a struct with an adjacently tagged enum outside of an internally tagged enum.
#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "hops")]
#[serde(tag = "kind")]
enum Hop {
    Direct {
        #[serde(rename = "_id")]
        id: i64,
        to: IpAddr,
    },
    Relayed {
        #[serde(rename = "_id")]
        id: i64,
        answer: Answer,
    },
}

#[derive(Model, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[model(collection = "answers")]
struct Answered {
    #[serde(rename = "_id")]
    id: i64,
    answer: Answer,
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn bson_of(number: u128) -> Bson {
    Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: number.to_be_bytes().to_vec() })
}

fn time(milliseconds: i64) -> Time<Utc> {
    Time::from_timestamp_millis(milliseconds).unwrap()
}

fn group(number: u128, parent: Option<u128>) -> Group {
    Group { id: id(number), parent: parent.map(|parent| Ref::new(id(parent))), path: TreePath::default() }
}

fn server() -> Server {
    let address = |text: &str| text.parse::<IpAddr>().unwrap();
    Server {
        id: address("10.0.0.1"),
        groups: vec![Ref::new(id(2)), Ref::new(id(1))],
        names: ["::1", "10.0.0.2", "10.0.0.3"].map(address).into(),
        seen: [("b".to_owned(), time(2)), ("a".to_owned(), time(1))].into(),
        event: Event::Started { at: time(7), by: id(1) },
    }
}

#[tokio::test]
async fn a_tree_of_uuids() {
    let db = database().await;
    for (number, parent) in [(1, None), (2, Some(1)), (3, Some(2))] {
        Group::insert(&db, &group(number, parent)).await.unwrap();
    }
    let stored = raw(&db, "groups", bson_of(3)).await;
    assert_eq!(stored.get("parent"), Some(&bson_of(2)));
    assert_eq!(stored.get_str("path").unwrap(), format!("{:032x}:{:032x}:", 1, 2));
    let last = Group::get_by_id(&db, id(3)).await.unwrap();
    let above = last.ancestors().fetch_all(&db).await.unwrap();
    assert_eq!(above.iter().map(|group| group.id).collect::<Vec<_>>(), [id(1), id(2)]);
    let first = Group::get_by_id(&db, id(1)).await.unwrap();
    assert_eq!(first.descendants().count(&db).await.unwrap(), 2);
    Group::move_to_root(&db, id(3)).await.unwrap();
    assert_eq!(raw(&db, "groups", bson_of(3)).await.get("parent"), Some(&Bson::Null));
}

#[tokio::test]
async fn references_sets_and_enums() {
    let db = database().await;
    for number in [1, 2] {
        Group::insert(&db, &group(number, None)).await.unwrap();
    }
    Server::insert(&db, &server()).await.unwrap();
    let stored = raw(&db, "servers", "10.0.0.1").await;
    assert_eq!(stored.get("groups"), Some(&Bson::Array(vec![bson_of(2), bson_of(1)])));
    assert_eq!(stored.get("seen"), Some(&doc! { "a": date(1), "b": date(2) }.into()));
    assert_eq!(stored.get("event"), Some(&doc! { "kind": "Started", "at": date(7), "by": bson_of(1) }.into()));
    assert_eq!(stored.get_array("names").unwrap().len(), 3);
    assert_eq!(Server::get_by_id(&db, server().id).await.unwrap(), server());

    let f = Server::F;
    assert_eq!(Server::find(f.names.eq(&server().names) & f.seen.eq(&server().seen)).count(&db).await.unwrap(), 1);
    assert_eq!(Server::find(f.event.eq(&server().event)).count(&db).await.unwrap(), 1);
    assert_eq!(Server::find(f.groups.contains(id(2))).count(&db).await.unwrap(), 1);
    let loaded = server().groups().fetch_all(&db).await.unwrap().complete().unwrap().into_vec();
    assert_eq!(loaded.iter().map(|group| group.id).collect::<Vec<_>>(), [id(2), id(1)]);
    let stopped = Event::Stopped { at: time(9) };
    Server::update_by_id(server().id).set(f.event, &stopped).execute(&db).await.unwrap();
    assert_eq!(Server::get_by_id(&db, server().id).await.unwrap().event, stopped);
}

/// serde reads the content of an internally tagged enum from a buffer, in the form for people.
#[tokio::test]
async fn addresses_in_enums() {
    let db = database().await;
    let address = |text: &str| text.parse::<IpAddr>().unwrap();
    let answer = Answer::Redirect(Target { to: address("::3") });
    for number in [1, 2] {
        Group::insert(&db, &group(number, None)).await.unwrap();
    }
    let request =
        Request { from: address("10.0.0.9"), over: vec![address("::1"), address("10.0.0.8")], answer: answer.clone() };
    let asked = Server { event: Event::Asked(request), ..server() };
    Server::insert(&db, &asked).await.unwrap();
    assert_eq!(Server::get_by_id(&db, asked.id).await.unwrap(), asked);
    let stored = raw(&db, "servers", "10.0.0.1").await;
    assert_eq!(stored.get_document("event").unwrap().get_str("from").unwrap(), "10.0.0.9");

    let hops = [Hop::Direct { id: 1, to: address("10.0.0.7") }, Hop::Relayed { id: 2, answer: answer.clone() }];
    Hop::insert_many(&db, &hops).await.unwrap();
    assert_eq!(Hop::find(Filter::all()).sort([Hop::F.id.asc()]).fetch_all(&db).await.unwrap(), hops);
    let answered = [Answered { id: 1, answer }, Answered { id: 2, answer: Answer::Nothing }];
    Answered::insert_many(&db, &answered).await.unwrap();
    let found = Answered::find(Filter::all()).sort([Answered::F.id.asc()]).fetch_all(&db).await.unwrap();
    assert_eq!(found, answered);
}
