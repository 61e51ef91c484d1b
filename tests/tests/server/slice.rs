//! A part of an embedded array.

use std::collections::VecDeque;

use mongodb::bson::{Bson, doc};
use schema_runtime::{Error, prelude::*};
use schema_tests::{database, database_with_log};

use crate::relations::*;

#[derive(Model, Serialize, Deserialize, Debug)]
#[model(collection = "people")]
struct Person {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    #[relation(one_to_few, embed, max = 200)]
    #[serde(rename = "addrs")]
    addresses: Vec<Address>,
    #[relation(one_to_few, embed, max = 20)]
    former: Option<VecDeque<Address>>,
}

#[derive(Embed, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Address {
    street: String,
    number: i32,
}

fn person(addresses: usize) -> Person {
    let addresses = (0..addresses).map(|number| Address { street: "street".to_owned(), number: number as i32 });
    Person { id: "person".to_owned(), name: "name".to_owned(), addresses: addresses.collect(), former: None }
}

#[tokio::test]
async fn only_that_part_is_sent() {
    let (db, log) = database_with_log().await;
    let person = person(100);
    insert(&db, std::slice::from_ref(&person)).await;
    log.clear();

    let part = Person::ADDRESSES.slice(&db, &person, 10, 5).await.unwrap();
    assert_eq!(part, person.addresses[10..15]);
    let sent: Vec<_> = log.commands().into_iter().map(|(_, sent)| command(sent)).collect();
    let expected = doc! {
        "find": "people",
        "filter": { "_id": "person" },
        "limit": 1_i64,
        "projection": { "_id": 1, "part": { "$slice": ["$addrs", 10, 5] } },
    };
    assert_eq!(sent, std::slice::from_ref(&expected));
    let reply =
        db.run_command(doc! { "find": "people", "projection": expected.get_document("projection").unwrap().clone() });
    let reply = reply.await.unwrap();
    let first =
        reply.get_document("cursor").unwrap().get_array("firstBatch").unwrap()[0].as_document().unwrap().clone();
    assert_eq!(first.keys().collect::<Vec<_>>(), ["_id", "part"]);

    let slice = async |skip, limit| Person::ADDRESSES.slice(&db, &person, skip, limit).await.unwrap();
    assert_eq!(slice(98, 5).await, person.addresses[98..]);
    assert_eq!(slice(0, u32::MAX).await, person.addresses);
    assert_eq!(slice(u32::MAX, 5).await, []);
    assert_eq!(slice(100, 5).await, []);
    log.clear();
    assert_eq!(slice(3, 0).await, []);
    assert_eq!(log.commands(), []);
    assert_index_scan(&Person::ADDRESSES.explain(&db, &person, 10, 5).await.unwrap(), 1);
}

#[tokio::test]
async fn of_an_optional_list() {
    let db = database().await;
    let mut person = person(3);
    insert(&db, std::slice::from_ref(&person)).await;
    assert_eq!(Person::FORMER.slice(&db, &person, 0, 5).await.unwrap(), [], "null");
    person.id = "other".to_owned();
    person.former = Some(person.addresses.iter().cloned().collect());
    insert(&db, std::slice::from_ref(&person)).await;
    assert_eq!(Person::FORMER.slice(&db, &person, 1, 5).await.unwrap(), person.addresses[1..]);
    person.id = "third".to_owned();
    insert_raw::<Person>(&db, [doc! { "_id": "third" }]).await;
    assert_eq!(Person::ADDRESSES.slice(&db, &person, 0, 5).await.unwrap(), [], "absent");
}

#[tokio::test]
async fn what_is_gone_or_does_not_fit_is_reported() {
    let db = database().await;
    let person = person(1);
    let error = Person::ADDRESSES.slice(&db, &person, 0, 1).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { model: "Person", collection: "people" }));
    let addresses = [doc! { "street": "a", "number": 1 }, doc! { "street": "b", "number": "two" }];
    insert_raw::<Person>(&db, [doc! { "_id": "person", "addrs": addresses.to_vec() }]).await;
    assert_eq!(Person::ADDRESSES.slice(&db, &person, 0, 1).await.unwrap().len(), 1);
    let error = Person::ADDRESSES.slice(&db, &person, 0, 2).await.unwrap_err();
    let Error::Decode { collection, model, id, path, .. } = error else { panic!("{error}") };
    assert_eq!((collection.as_str(), model, *id), ("people", "Person", Bson::from("person")));
    assert_eq!(path, "addrs.1.number");
}
